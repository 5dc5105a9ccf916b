"""The loss of late interaction: a question's words must find their like in its own passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from rirag.training.encoder.ranking_loss import MaskedRankingLoss, by_length
from rirag.training.runs.rows import Row

SCALE = 32.0
"""Scores are multiplied by it before the softmax: ColBERT adds up over 32 tokens, where the mean
is taken here."""


class LateInteractionLoss(MaskedRankingLoss):
    """Softmax over the passages of a batch, each scored by late interaction.

    The score is that of Khattab and Zaharia (2020), "ColBERT", section 3.3, divided by the number
    of the question's tokens.
    """

    def __init__(self, model: nn.Module, rows: Sequence[Row], scale: float = SCALE) -> None:
        """Remember the model and the rows that the labels of a batch will name."""
        super().__init__(model, rows, scale)

    def scores(self, columns: Sequence[dict[str, Tensor]], count: int) -> Tensor:
        """Return the score of each question with each passage, shape (count, passages)."""
        vectors, words = token_vectors(self.model, columns)
        return late_interaction(vectors[:count], words[:count], vectors[count:], words[count:])


def token_vectors(model: Any, columns: Sequence[dict[str, Tensor]]) -> tuple[Tensor, Tensor]:
    """Return unit vectors of the tokens of all texts of all columns, one column after the other.

    Returns:
        Vectors, shape (texts, tokens, dimension), and which of them are words of the text and
        neither padding nor one of the two markers around it, shape (texts, tokens).
    """
    width = max(column["input_ids"].shape[1] for column in columns)

    def states(inputs: dict[str, Tensor]) -> Tensor:
        found = nn.functional.normalize(model(inputs)["token_embeddings"].float(), dim=-1)
        return nn.functional.pad(found, (0, 0, 0, width - found.shape[1]))

    vectors, mask = by_length(columns, states)
    return vectors, _words(mask)


def late_interaction(questions: Tensor, asked: Tensor, passages: Tensor, written: Tensor) -> Tensor:
    """Return the mean over a question's tokens of the best cosine with a token of a passage.

    Args:
        questions: unit vectors of tokens, shape (questions, tokens, dimension).
        asked: which of them count, shape (questions, tokens).
        passages: unit vectors of tokens, shape (passages, tokens, dimension).
        written: which of them count, shape (passages, tokens).

    Returns:
        Scores from -1 to 1, shape (questions, passages).
    """
    longest = int(asked.sum(dim=1).max()) + 1  # the marker in front is not counted
    questions, asked = questions[:, :longest], asked[:, :longest]
    with torch.autocast(questions.device.type, enabled=False):  # bfloat16 has three digits
        cosines = torch.einsum("qid,pjd->qipj", questions.float(), passages.float())
    best = cosines.masked_fill(~written, -1.0).amax(dim=-1)
    counted = best * asked.unsqueeze(-1)
    return counted.sum(dim=1) / asked.sum(dim=1).clamp(min=1).unsqueeze(-1)


def _words(mask: Tensor) -> Tensor:
    """Return a mask without the first and the last token of each text."""
    inner = mask.bool().clone()
    inner[:, 0] = False
    inner[torch.arange(len(mask)), mask.sum(dim=1) - 1] = False
    return inner
