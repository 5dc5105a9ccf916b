"""Fine-tuning an encoder by questions, their passages, and hard negatives of its own ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.losses.merged_forward import embed_columns
from sentence_transformers.sentence_transformer.losses import (
    DistillKLDivLoss,
    MultipleNegativesRankingLoss,
)
from sentence_transformers.util import pairwise_cos_sim
from torch import Tensor, nn

from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.passage_table import PassageTable
from rirag_workbench.training.encoder.retrieval_quality import RetrievalQuality, quality_of
from rirag_workbench.training.ranking.lexical import lexical_rankings
from rirag_workbench.training.runs.by_length import ByLength
from rirag_workbench.training.runs.rounds import WithoutCard
from rirag_workbench.training.runs.rows import Row, mined_rows
from rirag_workbench.training.runs.settings import EncoderSettings
from rirag_workbench.training.runs.teacher import logarithms
from rirag_workbench.training.runs.training import Training, device, model_options
from rirag_workbench.training.weights.base_models import loading
from search.models.encoders.protocol import Encoder, Vectors

EVALUATION_TOKENS = 256
"""Longest text when passages are encoded to mine and to validate between rounds: retrieval is as
good as with the 512 of search (see the shipped encoder's model card), and a third faster."""
TEXTS_AT_ONCE = 32


class EncoderTrainer(WithoutCard, SentenceTransformerTrainer):  # type: ignore[misc]
    """The library's trainer of encoders."""


class EncoderTraining(Training[RetrievalQuality]):
    """One run of an encoder, with the vectors of all passages as long as they are valid."""

    quality_class = RetrievalQuality
    trainer_class = EncoderTrainer
    settings: EncoderSettings

    def __init__(
        self,
        base: str,
        data: Dataset,
        table: PassageTable,
        settings: EncoderSettings,
        work: Path,
    ) -> None:
        """Load the base model, a folder of sentence-transformers; see `Training`.

        Raises:
            ModelError: the base cannot be loaded.
        """
        with loading(base, "an encoder"):
            model = SentenceTransformer(base, device=device(), model_kwargs=model_options())
        super().__init__(model, data, table, settings, work)
        self._vectors: Vectors | None = None
        texts = [table.texts[key] for _, key in table.index_rows]
        self._validation_rankings = lexical_rankings(texts, [q.question for q in data.validation])

    def measure(self) -> RetrievalQuality:
        """Measure the model as it is on the validation questions."""
        self._vectors = None
        questions = self.encode([question.question for question in self._data.validation])
        return self._quality(questions, self._passages())

    def measure_encoder(self, encoder: Encoder, alpha: float) -> RetrievalQuality:
        """Measure an exported encoder on the same questions."""
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

    def mined_rows(self, seed: int) -> list[Row]:
        """Return the rows of a round, with negatives that the model as it is finds hard."""
        return mined_rows(
            self._data, self._table, self._passages(), self.encode, self.settings, seed
        )

    def columns(self, row: Row, shares: Sequence[float]) -> dict[str, Any]:
        """Return question, positive and negatives, with the shares if there is a teacher."""
        texts = self._table.texts
        negatives = {f"negative_{n}": texts[key] for n, key in enumerate(row.negatives, 1)}
        taught = {"label": logarithms(shares)} if self.teacher else {}
        return {"question": row.question, "positive": texts[row.positive], **negatives, **taught}

    def loss(self) -> torch.nn.Module:
        """Return the softmax over the passages of a batch, or the loss with a teacher."""
        model, scale = ByLength(self.model, "sentence_embedding"), self.settings.scale
        if self.teacher is None:
            return MultipleNegativesRankingLoss(model, scale)
        return TaughtRankingLoss(model, scale)

    def _passages(self) -> Vectors:
        if self._vectors is None:
            self._vectors = self.encode(self._table.texts)
        return self._vectors

    def _quality(
        self, questions: Vectors, passages: Vectors, alpha: float | None = None
    ) -> RetrievalQuality:
        return quality_of(
            self._data.validation,
            self._validation_rankings,
            questions,
            passages[[key for _, key in self._table.index_rows]],
            [passage for passage, _ in self._table.index_rows],
            alpha,
        )


RANKING_WEIGHT = 0.5
"""Of the softmax over the positives of the batch, beside the one over a row's own list."""


class TaughtRankingLoss(nn.Module):  # type: ignore[misc]
    """The teacher orders the passages of a row; the positives of other rows are negatives.

    What the teacher judges is no negative by itself: some of it may answer.
    """

    def __init__(self, model: nn.Module, scale: float) -> None:
        """Take the encoder and the factor of its cosines before each softmax."""
        super().__init__()
        self.model = model
        self._listwise = DistillKLDivLoss(model, lambda a, b: scale * pairwise_cos_sim(a, b))
        self._ranking = MultipleNegativesRankingLoss(model, scale)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch.

        Args:
            sentence_features: token ids of the questions, the positives, and each column of
                other passages.
            labels: logarithms of the wanted shares, shape (rows, passages).
        """
        embeddings = embed_columns(self.model, sentence_features)
        listwise = self._listwise.compute_loss_from_embeddings(embeddings, labels)
        ranking = self._ranking.compute_loss_from_embeddings(embeddings[:2], labels)
        return listwise + RANKING_WEIGHT * ranking
