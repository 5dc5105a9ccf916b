"""The loss of a language model that learns to ask: the cross-entropy of the question's tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import Trainer

ROWS_AT_ONCE = 4
"""Rows of like length that are computed together: the longest of twelve is twice the usual one."""
NOT_ASKED = -100
"""Label of what is only read; torch's cross-entropy leaves it out."""


def padded(rows: Sequence[Mapping[str, Sequence[int]]]) -> dict[str, Tensor]:
    """Return a batch of passages, each with its question behind it.

    Returns:
        `input_ids` and `labels`, both of shape (rows, longest); a label is the token at its own
        place where that belongs to a question, else `NOT_ASKED`.
    """
    width = max(len(row["read"]) + len(row["asked"]) for row in rows)
    tokens = torch.zeros((len(rows), width), dtype=torch.long)
    labels = torch.full((len(rows), width), NOT_ASKED)
    for at, row in enumerate(rows):
        first, end = len(row["read"]), len(row["read"]) + len(row["asked"])
        tokens[at, :end] = torch.tensor([*row["read"], *row["asked"]])
        labels[at, first:end] = tokens[at, first:end]
    return {"input_ids": tokens, "labels": labels}


class QuestionTrainer(Trainer):  # type: ignore[misc]
    """A trainer that asks the model for words only where a question stands: most is passage."""

    def __init__(self, **options: Any) -> None:
        """Take the options of transformers' trainer; all columns of the rows are used."""
        options["args"].remove_unused_columns = False
        super().__init__(**options)

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,  # noqa: ARG002 - the base's argument
    ) -> Any:
        """Return the mean cross-entropy of the questions' tokens."""
        said, following = [], []
        for tokens, labels in like_length(inputs["input_ids"], inputs["labels"]):
            states = model.base_model(tokens, use_cache=False).last_hidden_state
            asked = labels[:, 1:] != NOT_ASKED
            said.append(model.get_output_embeddings()(states[:, :-1][asked]))
            following.append(labels[:, 1:][asked])
        words = torch.cat(said)
        loss = torch.nn.functional.cross_entropy(words.float(), torch.cat(following))
        return (loss, words) if return_outputs else loss


def like_length(tokens: Tensor, labels: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield a batch in parts of rows of like length, without the padding that these do not need.

    A row ends with its question, which has labels.
    """
    places = torch.arange(1, labels.shape[1] + 1, device=labels.device)
    lengths = ((labels != NOT_ASKED) * places).amax(dim=1)
    for rows in lengths.argsort().split(ROWS_AT_ONCE):
        width = int(lengths[rows].max())
        yield tokens[rows, :width], labels[rows, :width]
