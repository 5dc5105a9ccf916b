"""Labelled sentences, as `ObligationClassificationDataset.json` of RegNLP has them."""

from __future__ import annotations

from pathlib import Path

from rirag.evaluation.json_records import json_records
from rirag.evaluation.problems import Problem, refuse_if_any
from rirag.files import read_text
from search.errors import InputError

FEWEST = 50
"""Sentences of each label, below which folds say nothing."""


def read_labelled(path: Path) -> list[tuple[str, bool]]:
    """Return (sentence, whether it is an obligation), each sentence once.

    Raises:
        InputError: the file cannot be used, one sentence has two labels, or a label is too rare.
    """
    problems: list[Problem] = []
    labels: dict[str, bool] = {}
    for line, record in json_records(read_text(path), problems):
        fields = record if isinstance(record, dict) else {}
        text, label = fields.get("Text"), fields.get("Obligation")
        if not isinstance(text, str) or not text.strip() or not isinstance(label, bool):
            problems.append((line, "a sentence needs Text, and Obligation as true or false."))
        elif labels.setdefault(text.strip(), label) != label:
            problems.append((line, "this sentence has the opposite label on an earlier line."))
    refuse_if_any(problems, path)
    for wanted in (True, False):
        if sum(label == wanted for label in labels.values()) < FEWEST:
            raise InputError(
                f"fewer than {FEWEST} sentences have the label {wanted}.",
                path,
                code="training.data",
            )
    return list(labels.items())
