"""The loss of an encoder that has a teacher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rirag.training.encoder.ranking_loss import SCALE, MaskedRankingLoss
from rirag.training.runs.rows import Row

RANKING_WEIGHT = 0.5
"""Of the softmax over the passages of other rows, beside the one over a row's own list."""


class TaughtRankingLoss(MaskedRankingLoss):
    """The teacher orders the passages of a row; those of all other rows are negatives as before.

    The first part is ListNet's top-one loss (Cao et al. 2007) over the positive and the negatives
    of a row, with the shares that the teacher wants. The second is `MaskedRankingLoss` without
    these negatives, also where another row has them: some of them may answer.
    """

    def __init__(
        self,
        model: nn.Module,
        rows: Sequence[Row],
        wanted: NDArray[np.float32],
        scale: float = SCALE,
    ) -> None:
        """Remember the model, the rows, and the shares of `Teacher.wanted`."""
        super().__init__(model, rows, scale)
        self._wanted = torch.from_numpy(wanted)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch, of the columns that `MaskedRankingLoss` takes."""
        scores, rows = self.scaled(sentence_features, labels)
        wanted = self._wanted[labels.long().cpu()].to(scores.device)
        listwise = nn.functional.cross_entropy(own_lists(scores), wanted)
        ranking = self.ranking(scores, rows, [(*row.known, *row.negatives) for row in rows])
        return listwise + RANKING_WEIGHT * ranking


def own_lists(scores: Tensor) -> Tensor:
    """Return the scores of each row's own passages, the positive's first, shape (rows, columns).

    Args:
        scores: of each row's question with the passages of all rows, column by column, shape
            (rows, columns x rows).
    """
    count = len(scores)
    return scores.reshape(count, -1, count).diagonal(dim1=0, dim2=2).T
