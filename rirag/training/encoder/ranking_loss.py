"""The loss of the encoder: each question must find its passage among all of the batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from rirag.training.runs.rows import Row

SCALE = 20.0
"""Cosines are multiplied by it before the softmax, as sentence-transformers does."""
TEXTS_AT_ONCE = {"cpu": 16, "cuda": 256}
"""Texts of like length that are encoded together: padding is what costs a CPU most."""


class MaskedRankingLoss(nn.Module):  # type: ignore[misc]
    """Softmax over the passages of a batch, positives and hard negatives of all its rows.

    It is the loss of Henderson et al. (2017), "Efficient Natural Language Response Suggestion",
    section 4, with one difference: a passage that is known to answer a question is not a negative
    of it, whichever row brought it into the batch.
    """

    def __init__(self, model: nn.Module, rows: Sequence[Row], scale: float = SCALE) -> None:
        """Remember the model and the rows that the labels of a batch will name."""
        super().__init__()
        self.model = model
        self._rows = rows
        self._scale = scale

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch.

        Args:
            sentence_features: token ids of the questions, the positives, and each column of
                negatives.
            labels: which row each item is, shape (items,).
        """
        scores, rows = self.scaled(sentence_features, labels)
        return self.ranking(scores, rows, [row.known for row in rows])

    def scaled(
        self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor
    ) -> tuple[Tensor, list[Row]]:
        """Return what `scores` says of a batch, times the scale, and the rows of its items."""
        scores = self._scale * self.scores(list(sentence_features), len(labels))
        return scores, [self._rows[number] for number in labels.tolist()]

    def ranking(
        self, scores: Tensor, rows: Sequence[Row], apart: Sequence[Sequence[int]]
    ) -> Tensor:
        """Return the mean cross-entropy of the positives among the passages of the batch.

        Args:
            scores: shape (rows, passages).
            rows: of the batch.
            apart: keys of passages that are not negatives of each row.
        """
        mask = torch.from_numpy(_elsewhere(rows, apart)).to(scores.device)
        scores = scores.masked_fill(mask, float("-inf"))
        return nn.functional.cross_entropy(scores, torch.arange(len(rows), device=scores.device))

    def scores(self, columns: Sequence[dict[str, Tensor]], count: int) -> Tensor:
        """Return the cosine of each question to each passage, shape (count, passages).

        Args:
            columns: token ids of the questions, the positives, and each column of negatives.
            count: how many questions there are.
        """
        embedded, _ = by_length(columns, lambda texts: self.model(texts)["sentence_embedding"])
        vectors = nn.functional.normalize(embedded, dim=-1).float()
        return vectors[:count] @ vectors[count:].T


def by_length(
    columns: Sequence[dict[str, Tensor]], encode: Callable[[dict[str, Tensor]], Tensor]
) -> tuple[Tensor, Tensor]:
    """Encode all texts of all columns, one column after the other.

    Texts of like length are encoded together and cut to the longest of them, which changes no
    vector and spares the padding.

    Args:
        columns: token ids and masks.
        encode: some texts → what the model makes of each.

    Returns:
        What `encode` made of the texts, and their masks, shape (texts, tokens).
    """
    width = max(column["input_ids"].shape[1] for column in columns)
    ids, mask = (
        torch.cat([nn.functional.pad(c[name], (0, width - c[name].shape[1])) for c in columns])
        for name in ("input_ids", "attention_mask")
    )
    lengths = mask.sum(dim=1)
    order = torch.argsort(lengths, stable=True)
    parts = []
    for some in order.split(TEXTS_AT_ONCE.get(ids.device.type, TEXTS_AT_ONCE["cuda"])):
        longest = int(lengths[some].max())
        inputs = {"input_ids": ids[some, :longest], "attention_mask": mask[some, :longest]}
        parts.append(encode(inputs))
    return torch.cat(parts)[torch.argsort(order)], mask


def _elsewhere(rows: Sequence[Row], keys: Sequence[Sequence[int]]) -> Any:
    """Return where the passages of some keys stand for each row, its own positive left out."""
    import numpy as np

    positives = [row.positive for row in rows]
    columns = zip(*(row.negatives for row in rows), strict=True)
    batch = np.array([*positives, *(key for column in columns for key in column)])
    places = np.array([np.isin(batch, some) for some in keys])
    places[np.arange(len(rows)), np.arange(len(rows))] = False
    return places
