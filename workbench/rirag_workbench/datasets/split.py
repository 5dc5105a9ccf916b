"""Splitting a data set into training, development and test parts, with an audit of overlaps."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from rirag_workbench.datasets.checks import overlap
from rirag_workbench.datasets.records import Question
from search.errors import InputError

PARTS = ("train", "dev", "test")

By = Literal["question", "document"]


def split(
    questions: Sequence[Question], shares: Sequence[float], by: By
) -> dict[str, list[Question]]:
    """Divide questions by the hash of their ID, or of their documents.

    By document, questions whose passages connect documents go together, so that no document is in
    two parts; shares are then those of documents, as near as can be.

    Args:
        questions: of a data set.
        shares: of each of `PARTS`, adding up to 1.
        by: what must not be in two parts.
    """
    keys = _document_groups(questions) if by == "document" else {}
    parts: dict[str, list[Question]] = {name: [] for name in PARTS}
    for one in questions:
        key = keys[one.passages[0].document_id] if by == "document" else one.question_id
        parts[_part(key, shares)].append(one)
    return parts


def audit(parts: Mapping[str, Sequence[Question]], by: By) -> dict[str, dict[str, int]]:
    """Return the overlap of each later part with the training part.

    Raises:
        InputError: a question of a later part is in the training part, or, by document, a document.
    """
    found = {name: overlap(parts["train"], parts[name]) for name in PARTS[1:]}
    for name, counts in found.items():
        if counts["questions"]:
            raise InputError(
                f"{counts['questions']} questions of {name} are also in train, word "
                "for word or nearly; remove them with rirag dataset check, then "
                "split again.",
                code="dataset.invalid",
            )
        if by == "document" and counts["documents"]:
            raise InputError(
                f"{counts['documents']} documents of {name} are also in train.",
                code="dataset.invalid",
            )
    return found


def _part(key: str, shares: Sequence[float]) -> str:
    place = int(hashlib.sha256(f"split {key}".encode()).hexdigest(), 16) % 10_000 / 10_000
    for name, share in zip(PARTS, shares, strict=True):
        if place < share:
            return name
        place -= share
    return PARTS[0]


def _document_groups(questions: Sequence[Question]) -> dict[str, str]:
    """Return document → the name of its group: documents that a question connects are one."""
    above: dict[str, str] = {}

    def root(document: str) -> str:
        above.setdefault(document, document)
        while above[document] != document:
            document = above[document]
        return document

    for one in questions:
        first = root(one.passages[0].document_id)
        for passage in one.passages[1:]:
            above[root(passage.document_id)] = first
    return {document: root(document) for document in list(above)}
