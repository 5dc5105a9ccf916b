"""Labelled sentences, as `ObligationClassificationDataset.json` of RegNLP has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rirag.inputs.json_records import read_records
from search.errors import InputError

FEWEST = 50
"""Sentences of each label, below which folds say nothing."""


def read_labelled(path: Path) -> list[tuple[str, bool]]:
    """Return (sentence, whether it is an obligation), each sentence once.

    Raises:
        InputError: the file cannot be used, one sentence has two labels, or a label is too rare.
    """
    labels: dict[str, bool] = {}

    def keep(record: Any, _line: int) -> None:
        fields = record if isinstance(record, dict) else {}
        text, label = fields.get("Text"), fields.get("Obligation")
        if not isinstance(text, str) or not text.strip() or not isinstance(label, bool):
            raise ValueError("a sentence needs Text, and Obligation as true or false.")
        if labels.setdefault(text.strip(), label) != label:
            raise ValueError("this sentence has the opposite label on an earlier line.")

    read_records(path, keep)
    for wanted in (True, False):
        if sum(label == wanted for label in labels.values()) < FEWEST:
            raise InputError(
                f"fewer than {FEWEST} sentences have the label {wanted}.",
                path,
                code="training.data",
            )
    return list(labels.items())
