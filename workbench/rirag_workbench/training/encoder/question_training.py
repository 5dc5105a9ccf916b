"""Training what encodes questions alone, while the vectors of all passages stay as they are."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from rirag_workbench.training.encoder.retrieval_quality import RetrievalQuality
from rirag_workbench.training.encoder.trainer import EncoderTraining
from rirag_workbench.training.ranking.negatives import known_positives
from rirag_workbench.training.runs.by_length import ByLength
from rirag_workbench.training.runs.rounds import Report
from rirag_workbench.training.runs.rows import Row, examples_of_round, make_rows
from rirag_workbench.training.runs.settings import EncoderSettings
from rirag_workbench.training.runs.training import Trained
from search.models.encoders.protocol import Encoder, Vectors

ANCHORS = 6
"""Passages of each step that the model must encode as before: so it keeps what it knows of
language, and forgets less of other rulebooks."""
ANCHOR_WEIGHT = 20.0
"""Of their mean distance beside the loss of the questions."""
ANCHOR_CHARACTERS = range(30, 700)
"""Length of such passages: of longer ones training reads the beginning alone."""


class QuestionTraining(EncoderTraining):
    """A run in which a question is to be nearest to its answer among all passages at once."""

    mining = "drawing the questions"

    _fixed: Vectors

    def run(self, report: Report) -> Trained[RetrievalQuality]:
        """Encode all passages with the base, and train; see `Training.run`."""
        self._fixed = super()._passages()
        return super().run(report)

    def measure_encoder(self, encoder: Encoder, alpha: float) -> RetrievalQuality:
        """Measure an exported model in the same way."""
        questions = [question.question for question in self._data.validation]
        return self._quality(encoder.encode_questions(questions), self._fixed, alpha)

    def mined_rows(self, seed: int) -> list[Row]:
        """Return the rows of a round: each question with each of its answers."""
        data, share = self._data, self.settings.auxiliary_share
        examples = examples_of_round(data.examples, data.auxiliary, share, seed)
        known = known_positives(data.trained_on)
        return make_rows(examples, [()] * len(examples), known, 0, seed)

    def columns(self, row: Row, shares: Sequence[float]) -> dict[str, Any]:  # noqa: ARG002
        """Return the question, and the key of the passage that answers it."""
        return {"question": row.question, "label": row.positive}

    def _passages(self) -> Vectors:
        return self._fixed

    def loss(self) -> nn.Module:
        """Return the softmax over all passages."""
        model = ByLength(self.model, "sentence_embedding")
        return QuestionLoss(model, self._table.texts, torch.tensor(self._fixed), self.settings)


class QuestionLoss(nn.Module):  # type: ignore[misc]
    """Cross-entropy of the cosines of a question and all passages, and the pull of the anchors."""

    def __init__(
        self, model: Any, texts: Sequence[str], passages: Tensor, settings: EncoderSettings
    ) -> None:
        """Take the encoder, the passages and their vectors, shape (passages, dimension)."""
        super().__init__()
        self.model = model
        self._scale = settings.scale
        self._texts = texts
        self._short = [key for key, one in enumerate(texts) if len(one) in ANCHOR_CHARACTERS]
        self._draw = random.Random(settings.seed)  # noqa: S311 - a draw of training data
        self.register_buffer("_passages", passages, persistent=False)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch.

        Args:
            sentence_features: token ids of the questions.
            labels: key of the answer of each.
        """
        (features,) = sentence_features
        cosines = self._vectors(features) @ self._passages.T
        loss = nn.functional.cross_entropy(self._scale * cosines, labels)
        if not self._short:
            return loss
        keys = self._draw.sample(self._short, min(ANCHORS, len(self._short)))
        read = self.model.preprocess([self._texts[key] for key in keys])
        tokens = {k: one.to(cosines.device) for k, one in read.items() if isinstance(one, Tensor)}
        kept = (self._vectors(tokens) * self._passages[keys]).sum(1)
        return loss + ANCHOR_WEIGHT * (1 - kept).mean()

    def _vectors(self, features: dict[str, Tensor]) -> Tensor:
        found = self.model(features)["sentence_embedding"]
        return nn.functional.normalize(found, dim=1)
