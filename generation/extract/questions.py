"""What a question asks for, and how much of it a text speaks of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from generation.text.obligations import StatementKind
from search.text.analyzer import tokens

_ASKS_MEANING = re.compile(
    r"\bwhat (?:does|do|is|are)\b.*\b(?:mean|meant by|meaning|definition)\b|\bdefin(?:e|ed|ition)\b"
    r"|\bwhat constitutes\b|\bconsidered (?:as|to be)\b|\bqualif(?:y|ies) as\b"
    r"|^\W*what (?:is|are) (?:an? |the )?[\w\s'’-]{1,40}\?",
    re.IGNORECASE,
)
_ASKS_PERMISSION = re.compile(
    r"^\W*(?:can|may|could|is|are)\b|\b(?:allowed|permit\w*|entitled|eligible|rights?|exempt\w*|"
    r"exception\w*|discretion|under what (?:circumstances|conditions))\b",
    re.IGNORECASE,
)

WEIGHTS: Mapping[StatementKind, float] = {
    "prohibition": 1.0,
    "obligation": 1.0,
    "expectation": 0.9,
    "permission": 0.5,
    "definition": 0.4,
    "other": 0.3,
}
"""How much a statement is worth for a question after duties. Their order is RIRAG's aim (all
obligations of the passages); the distances were read off development questions, not fitted."""

ASKED_FOR = 1.1
"""Worth of a permission or definition when the question asks for one."""

_ASKING_WORDS = frozenset(
    tokens(
        "what how which who whom whose when where why can could may might must shall should would "
        "do does did is are was were have has please explain describe specify provide clarify "
        "elaborate outline detail specific regarding concerning accordance context under within "
        "according any you me we our i us question rule rules requirement requirements"
    )
)
"""Words that ask instead of naming a subject."""


def worth(kind: StatementKind, question: str) -> float:
    """Return how much a kind of statement is worth for a question."""
    if kind == "definition" and _ASKS_MEANING.search(question):
        return ASKED_FOR
    if kind == "permission" and _ASKS_PERMISSION.search(question):
        return ASKED_FOR
    return WEIGHTS[kind]


def subject(question: str) -> frozenset[str]:
    """Return the index terms of a question that name its subject; all of them if none does."""
    terms = frozenset(tokens(question))
    return terms - _ASKING_WORDS or terms


class Bearing:
    """How much of a question's subject a text speaks of, rare terms counting more."""

    def __init__(self, question: str, texts: Iterable[AbstractSet[str]]) -> None:
        """Weigh the terms: `texts` are the term sets of all that there is to choose from."""
        sets = list(texts)
        self._weights = {
            term: math.log(1 + (len(sets) + 1) / (1 + sum(term in terms for terms in sets)))
            for term in subject(question)
        }
        self._total = sum(self._weights.values())

    def of(self, terms: AbstractSet[str]) -> float:
        """Return the share of the subject, 0 to 1, weighted by inverse document frequency."""
        if not self._total:
            return 0.0
        return sum(weight for term, weight in self._weights.items() if term in terms) / self._total
