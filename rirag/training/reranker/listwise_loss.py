"""The loss of the cross-encoder: a question's passage must score above its hard negatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rirag.training.encoder.ranking_loss import TEXTS_AT_ONCE


class ListwiseLoss(nn.Module):  # type: ignore[misc]
    """Softmax over a list of passages, question by question; the positive comes first.

    With a teacher it is ListNet's top-one loss (Cao et al. 2007).
    """

    def __init__(self, model: nn.Module, wanted: NDArray[np.float32] | None = None) -> None:
        """Take a `CrossEncoder` with one output, and the shares of `Teacher.wanted`, if any."""
        super().__init__()
        self.model = model
        self._wanted = None if wanted is None else torch.from_numpy(wanted)

    def forward(self, inputs: Sequence[Sequence[str]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch.

        Args:
            inputs: columns of texts: the questions, the positives, and each place of negatives.
            labels: the number of each list's row.
        """
        questions, *passages = inputs
        pairs = [pair for column in passages for pair in zip(questions, column, strict=True)]
        scores = score_by_length(self.model, pairs)
        lists = scores.reshape(len(passages), len(questions)).T
        numbers = labels.long().cpu()
        wanted = torch.zeros_like(numbers) if self._wanted is None else self._wanted[numbers]
        return nn.functional.cross_entropy(lists.float(), wanted.to(lists.device))


def score_by_length(model: Any, pairs: Sequence[tuple[str, str]]) -> Tensor:
    """Return the logits of pairs, shape (pairs,); pairs of like length are computed together."""
    lengths = [len(question) + len(passage) for question, passage in pairs]
    order = sorted(range(len(pairs)), key=lambda number: lengths[number])
    size = TEXTS_AT_ONCE.get(model.device.type, TEXTS_AT_ONCE["cuda"])
    parts = []
    for start in range(0, len(pairs), size):
        inputs = model.preprocess([pairs[number] for number in order[start : start + size]])
        on_device = {
            name: value.to(model.device) if isinstance(value, Tensor) else value
            for name, value in inputs.items()
        }
        parts.append(model(on_device)["scores"].squeeze(1))
    return torch.cat(parts)[torch.argsort(torch.tensor(order))]
