"""Fine-tuning an encoder by questions, their passages, and hard negatives of its own ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rirag.training.data.examples import Dataset
from rirag.training.data.passage_table import PassageTable
from rirag.training.encoder.retrieval_quality import RetrievalQuality, quality_of
from rirag.training.ranking.lexical import lexical_legs
from rirag.training.runs.checkpoints import Round
from rirag.training.runs.loop import Training, device, model_options, text_columns
from rirag.training.runs.rounds import Report
from rirag.training.runs.rows import Row, mined_rows
from rirag.training.runs.settings import EncoderSettings
from rirag.training.weights.base_models import loading
from search.models.encoders.protocol import Encoder, Vectors

if TYPE_CHECKING:
    from rirag.training.encoder.ranking_loss import MaskedRankingLoss

EVALUATION_TOKENS = 256
"""Longest text when passages are encoded to mine and to validate between rounds: retrieval is as
good as with the 512 of search (see the shipped encoder's model card), and a third faster."""
TEXTS_AT_ONCE = 32


class EncoderTraining(Training[RetrievalQuality]):
    """One run of an encoder, with the vectors of all passages as long as they are valid."""

    quality_class = RetrievalQuality
    settings: EncoderSettings

    def __init__(
        self,
        base: str,
        data: Dataset,
        table: PassageTable,
        settings: EncoderSettings,
        work: Path,
    ) -> None:
        """Load the base model.

        Args:
            base: folder of a sentence-transformers model.
            data: what to train and validate on.
            table: all passages.
            settings: of the run.
            work: folder of its rounds and checkpoints.

        Raises:
            ModelError: the base cannot be loaded.
        """
        from sentence_transformers import SentenceTransformer

        with loading(base, "an encoder"):
            model = SentenceTransformer(base, device=device(), model_kwargs=model_options())
        super().__init__(model, data, settings, work)
        self._table = table
        self._vectors: Vectors | None = None
        texts = [table.texts[key] for _, key in table.index_rows]
        self._validation_legs = lexical_legs(texts, [q.question for q in data.validation])

    def measure(self) -> RetrievalQuality:
        """Measure the model as it is on the validation questions."""
        questions = self.encode([question.question for question in self._data.validation])
        return self._quality(questions, self._passages())

    def measure_encoder(self, encoder: Encoder, alpha: float) -> RetrievalQuality:
        """Measure an exported encoder on the same questions.

        Args:
            encoder: to measure.
            alpha: lexical weight of the hybrid.
        """
        questions = [question.question for question in self._data.validation]
        passages = encoder.encode_passages(self._table.texts[: self._table.indexed]).vectors
        return self._quality(encoder.encode_questions(questions), passages, alpha)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode texts much as search would, but in bfloat16 if the settings say so."""
        self.model.max_seq_length = EVALUATION_TOKENS
        with self.precision():
            vectors: Vectors = self.model.encode(
                list(texts),
                batch_size=TEXTS_AT_ONCE,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return vectors

    def take(self, weights: Mapping[str, Any]) -> None:
        """Take over weights; vectors of the old ones are forgotten."""
        super().take(weights)
        self._vectors = None

    def mined_rows(self, seed: int) -> list[Row]:
        """Return the rows of a round, with negatives that the model as it is finds hard."""
        return mined_rows(
            self._data, self._table, self._passages(), self.encode, self.settings, seed
        )

    def trainer(self, rows: Sequence[Row], report: Report) -> dict[str, Any]:
        """Return what `run_round` needs."""
        from datasets import Dataset as Table
        from sentence_transformers import (
            SentenceTransformerTrainer,
            SentenceTransformerTrainingArguments,
        )

        self.model.max_seq_length = self.settings.max_tokens
        self._vectors = None
        return {
            "trainer_class": SentenceTransformerTrainer,
            "arguments_class": SentenceTransformerTrainingArguments,
            "train_dataset": Table.from_dict(text_columns(rows, self._table.texts)),
            "loss": self._loss(rows, report),
        }

    def _loss(self, rows: Sequence[Row], report: Report) -> MaskedRankingLoss:
        from rirag.training.encoder.ranking_loss import MaskedRankingLoss
        from rirag.training.encoder.taught_loss import TaughtRankingLoss

        if self.teacher is None:
            return MaskedRankingLoss(self.model, rows, self.settings.scale)
        wanted = self.teacher.wanted(rows, self._table.texts, report)
        return TaughtRankingLoss(self.model, rows, wanted, self.settings.scale)

    def weights_in(self, checkpoint: Path) -> Mapping[str, Any]:
        """Return the weights that lie in a checkpoint."""
        from sentence_transformers import SentenceTransformer

        weights: Mapping[str, Any] = SentenceTransformer(str(checkpoint), device="cpu").state_dict()
        return weights

    def keep(self, this: Round) -> None:
        """Keep the vectors, so that the next round mines without encoding again."""
        np.save(this.vectors, self._passages())

    def recall(self, this: Round) -> None:
        """Take over the vectors of the round before."""
        if this.vectors.exists():
            self._vectors = np.load(this.vectors)

    def _passages(self) -> Vectors:
        if self._vectors is None:
            self._vectors = self.encode(self._table.texts)
        return self._vectors

    def _quality(
        self, questions: Vectors, passages: Vectors, alpha: float | None = None
    ) -> RetrievalQuality:
        return quality_of(
            self._data.validation,
            self._validation_legs,
            questions,
            passages[[key for _, key in self._table.index_rows]],
            [passage for passage, _ in self._table.index_rows],
            alpha,
        )
