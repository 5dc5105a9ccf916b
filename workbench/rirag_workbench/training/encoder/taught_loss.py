"""The loss of an encoder that has a teacher."""

from __future__ import annotations

from collections.abc import Iterable

from sentence_transformers.base.losses.merged_forward import embed_columns
from sentence_transformers.sentence_transformer.losses import (
    DistillKLDivLoss,
    MultipleNegativesRankingLoss,
)
from sentence_transformers.util import pairwise_cos_sim
from torch import Tensor, nn

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
