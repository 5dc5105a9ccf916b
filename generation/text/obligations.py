"""Find by its wording what a statement does: oblige, forbid, expect, permit, define.

The rule is the drafting convention of English-language regulators: duties are carried by modal
verbs and a few fixed phrases. It needs no model, is the same tomorrow, and a reader can check it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from search.language import vocabulary

StatementKind = Literal[
    "prohibition", "obligation", "expectation", "permission", "definition", "other"
]

DUTIES: frozenset[StatementKind] = frozenset({"prohibition", "obligation", "expectation"})
"""What an answer must not leave out; guidance says "should" and "expects" for a rule's "must"."""

_KINDS: tuple[StatementKind, ...] = (
    "prohibition", "obligation", "expectation", "definition", "permission",
)  # fmt: skip
_PATTERNS: Mapping[StatementKind, re.Pattern[str]] = {
    kind: re.compile(vocabulary.forms(f"statements.{kind}", "en"), re.IGNORECASE) for kind in _KINDS
}
"""In the order of precedence: a statement that both permits and forbids is a prohibition."""

_DEFINED_TERM = re.compile(r"^\W*(?:\([\w]+\)\s*)?[\"“‘']?[A-Z][^.:;]{0,80}?[\"”’']? means\b")


def kind_of(text: str) -> StatementKind:
    """Return what a statement does. `"X" means …` is a definition whatever it holds besides."""
    if _DEFINED_TERM.match(text):
        return "definition"
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(text)), "other")
