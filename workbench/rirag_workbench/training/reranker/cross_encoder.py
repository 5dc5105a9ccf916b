"""Fine-tune a cross-encoder on the candidates that it will have to sort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, CrossEncoderTrainer
from sentence_transformers.cross_encoder.losses import ListNetLoss

from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.passage_table import PassageTable
from rirag_workbench.training.encoder.retrieval_quality import quality_of
from rirag_workbench.training.ranking.lexical import Ranking, lexical_rankings
from rirag_workbench.training.ranking.negatives import cosines, dense_ranking, fused_scores
from rirag_workbench.training.reranker.layers import keep_layers
from rirag_workbench.training.reranker.reranked_quality import (
    Candidates,
    RerankedQuality,
    reranked_quality,
)
from rirag_workbench.training.runs.by_length import ByLength
from rirag_workbench.training.runs.rounds import WithoutCard
from rirag_workbench.training.runs.rows import Row, mined_rows
from rirag_workbench.training.runs.settings import RerankerSettings
from rirag_workbench.training.runs.teacher import logarithms
from rirag_workbench.training.runs.training import Training, device, model_options
from rirag_workbench.training.weights.base_models import loading
from search.models.encoders.protocol import Encoder, Vectors
from search.models.rerankers.protocol import Reranker

WHOLE_BATCH = -1
"""`ListNetLoss` hands all pairs of a batch to `ByLength`, which divides them."""
Score = Callable[[str, Sequence[str]], NDArray[np.float32]]
"""Question, passages → one score a passage."""


class RerankerTrainer(WithoutCard, CrossEncoderTrainer):  # type: ignore[misc]
    """The library's trainer of cross-encoders."""


class CrossEncoderTraining(Training[RerankedQuality]):
    """One run of a sequence classifier with one output, over question and passage at once.

    Its candidates are those that an encoder and BM25 propose.
    """

    quality_class = RerankedQuality
    trainer_class = RerankerTrainer
    settings: RerankerSettings
    rerank_count = 20
    """Candidates of a question that validation has sorted."""

    def __init__(
        self,
        start: Path,
        encoder: Encoder,
        data: Dataset,
        table: PassageTable,
        settings: RerankerSettings,
        work: Path,
    ) -> None:
        """Load the model, and find the candidates.

        Args:
            start: folder of what `save_start` wrote.
            encoder: of the hybrid whose candidates are mined and sorted.
            data: what to train and validate on.
            table: all passages.
            settings: of the run.
            work: folder of its rows and checkpoints.
        """
        super().__init__(self.load(start), data, table, settings, work)
        self._encoder = encoder
        self._questions = data.validation
        self._vectors = self._passages(work / "vectors.npy")
        self._candidates = self._validation_candidates()

    @staticmethod
    def save_start(base: Path, folder: Path, settings: RerankerSettings) -> None:
        """Write the encoder's layers, and a head of random weights.

        Raises:
            ModelError: the base cannot be loaded.
        """
        from transformers import AutoModelForSequenceClassification, AutoTokenizer, set_seed

        set_seed(settings.seed)
        with loading(base, "a cross-encoder"):
            model = AutoModelForSequenceClassification.from_pretrained(str(base), num_labels=1)
            tokenizer = AutoTokenizer.from_pretrained(str(base))
        keep_layers(model.base_model, settings.layers)
        model.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))

    @staticmethod
    def load(folder: Path) -> Any:
        """Load a cross-encoder."""
        return CrossEncoder(
            str(folder),
            device=device(),
            activation_fn=torch.nn.Identity(),
            model_kwargs=model_options(),
        )

    def columns(self, row: Row, shares: Sequence[float]) -> dict[str, Any]:
        """Return a question, its list of passages, and their shares."""
        passages = [self._table.texts[key] for key in row.passages]
        return {"question": row.question, "passages": passages, "label": logarithms(shares)}

    def loss(self) -> torch.nn.Module:
        """Return ListNet's top-one loss (Cao et al. 2007): the softmax over a list."""
        return ListNetLoss(ByLength(self.model, "scores"), mini_batch_size=WHOLE_BATCH)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the logits of passages for a question, shape (passages,)."""
        with self.precision():
            scores: NDArray[np.float32] = self.model.predict(
                [(question, passage) for passage in passages], show_progress_bar=False
            )
        return scores

    def measure(self) -> RerankedQuality:
        """Measure the model as it is on the validation questions."""
        return self._measured(self.scores)

    def measure_reranker(self, reranker: Reranker, weight: float) -> RerankedQuality:
        """Measure an exported reranker on the same candidates."""
        return self._measured(reranker.score, weight)

    def mined_rows(self, seed: int) -> list[Row]:
        """Return the rows of a round: negatives are what the hybrid ranks high."""
        encode = self._encoder.encode_questions
        return mined_rows(self._data, self._table, self._vectors, encode, self.settings, seed)

    def _measured(self, score: Score, weight: float | None = None) -> RerankedQuality:
        questions, rows = self._questions, self._table.index_rows
        texts = [self._table.texts[key] for _, key in rows]
        scores = [
            score(question.question, [texts[row] for row in found.rows])
            if found.rows
            else np.zeros(0, np.float32)
            for question, found in zip(questions, self._candidates, strict=True)
        ]
        ids = [passage for passage, _ in rows]
        return reranked_quality(questions, self._candidates, scores, ids, weight)

    def _passages(self, path: Path) -> Vectors:
        """Encode all passages, once for all resumptions."""
        if not path.exists():
            vectors = self._encoder.encode_passages(self._table.texts).vectors
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, vectors)
        loaded: Vectors = np.load(path)
        return loaded

    def _validation_candidates(self) -> list[Candidates]:
        """Return the hybrid's best for each validation question, at its best lexical weight."""
        questions = self._questions
        rows = [key for _, key in self._table.index_rows]
        ids = [passage for passage, _ in self._table.index_rows]
        asked = [question.question for question in questions]
        lexical = lexical_rankings([self._table.texts[key] for key in rows], asked)
        vectors, passages = self._encoder.encode_questions(asked), self._vectors[rows]
        alpha = quality_of(questions, lexical, vectors, passages, ids).alpha
        return [
            _best(retriever, dense_ranking(scores, range(len(rows))), alpha, self.rerank_count)
            for retriever, scores in zip(lexical, cosines(vectors, passages), strict=True)
        ]


def _best(lexical: Ranking, dense: Ranking, alpha: float, count: int) -> Candidates:
    fused = fused_scores(lexical, dense, alpha)
    best = sorted(fused, key=lambda row: -fused[row])[:count]
    return Candidates(tuple(best), tuple(fused[row] for row in best))
