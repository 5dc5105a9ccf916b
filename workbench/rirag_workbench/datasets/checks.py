"""What a question must be: well formed, in its own words, without a rule number, and new.

Parts of a data set that are split off are checked for overlap.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.datasets.records import Question
from rirag_workbench.datasets.writing import form_problem
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import HeldOut
from search.language import vocabulary

NEARLY_THE_SAME = 0.95
"""Cosine of two questions by the encoder from which on they are one."""

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns unit vectors of questions."""

_NUMBER = re.compile(
    rf"\b{vocabulary.pattern(vocabulary.units(), 'en', short=False)}"
    r"\s+(?:\d|[ivxlc]+\b)|\b\d+(?:\.\d+){1,}(?:\.?\([a-z0-9]+\))*|\bpassages?\s+\d",
    re.IGNORECASE,
)
_MONEY = re.compile(r"(?:[$€£%]|\b(?:USD|EUR|GBP|AED)\s?)\d[\d.,]*|\d[\d.,]*\s?(?:%|per cent)")


def leaks_a_number(question: str) -> bool:
    """Return whether a question names a rule by its number, which gives its passage away.

    Amounts and percentages are not rule numbers.
    """
    return bool(_NUMBER.search(_MONEY.sub(" ", question)))


def mechanical_problem(question: Question) -> str | None:
    """Return what is wrong with a question by itself: `malformed`, `copied`, `number`, or None."""
    problem = form_problem(question.question, (one.text for one in question.passages))
    if problem is not None:
        return problem
    return "number" if leaks_a_number(question.question) else None


class Duplicates:
    """Recognises questions that were asked before, in this set or in given ones."""

    def __init__(self, given: Iterable[tuple[str, str]], encode: Encode | None) -> None:
        """Take in (ID, text) of questions that must not be asked again.

        Args:
            encode: finds the same in other words; None: only words are compared.
        """
        known = list(given)
        self._given = HeldOut(known)
        self._seen = HeldOut([])
        self._encode = encode
        given_vectors = encode([text for _, text in known]) if encode and known else ()
        self._vectors = {"given": list(given_vectors), "repeated": []}

    def reason(self, question: Question) -> str | None:
        """Return why a question is none of its own, and remember it otherwise.

        Returns:
            `given`: it is in a given set; `repeated`: it is in this one; None: it is new.
        """
        if self._given.reason("", question.question):
            return "given"
        if self._seen.reason("", question.question):
            return "repeated"
        if self._encode is not None:
            vector = self._encode([question.question])[0]
            for reason, vectors in self._vectors.items():
                if vectors and (np.stack(vectors) @ vector).max() >= NEARLY_THE_SAME:
                    return reason
            self._vectors["repeated"].append(vector)
        self._seen.add(question.question_id, question.question)
        return None


def overlap(one: Sequence[Question], other: Sequence[Question]) -> dict[str, int]:
    """Return how far two parts of a data set know of each other.

    Returns:
        `questions`: those of the second that are in the first, word for word or nearly;
        `passages` and `documents`: relevant ones of the second that the first has too.
    """
    guard = HeldOut((question.question_id, question.question) for question in one)
    passages = {p.id for question in one for p in question.passages}
    documents = {p.document_id for question in one for p in question.passages}
    return {
        "questions": sum(
            guard.reason(question.question_id, question.question) is not None for question in other
        ),
        "passages": len({p.id for q in other for p in q.passages} & passages),
        "documents": len({p.document_id for q in other for p in q.passages} & documents),
    }


PARTS = ("train", "dev", "test")

By = Literal["question", "document"]


def split(
    questions: Sequence[Question], shares: Sequence[float], by: By
) -> dict[str, list[Question]]:
    """Divide questions by the hash of their ID, or of their documents.

    By document, questions whose passages connect documents go together, so that no document is in
    two parts; shares are then those of documents, as near as can be.
    """
    keys = _document_groups(questions) if by == "document" else {}
    parts: dict[str, list[Question]] = {name: [] for name in PARTS}
    for one in questions:
        key = keys[one.passages[0].document_id] if by == "document" else one.question_id
        parts[_part(key, shares)].append(one)
    return parts


def audit(parts: Mapping[str, Sequence[Question]], by: By) -> dict[str, dict[str, int]]:
    """Return the overlap of each later part with the training part."""
    found = {name: overlap(parts["train"], parts[name]) for name in PARTS[1:]}
    for name, counts in found.items():
        if counts["questions"]:
            raise unusable("dataset.invalid/in-train", count=counts["questions"], name=name)
        if by == "document" and counts["documents"]:
            raise unusable(
                "dataset.invalid/document-in-train", count=counts["documents"], name=name
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
