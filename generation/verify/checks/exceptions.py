"""Finds exceptions of a passage that a statement drops: without them it says too much."""

from __future__ import annotations

import re

from generation.verification import Finding
from generation.verify.compare.languages import GRAMMAR
from generation.verify.compare.quotes import quotations
from generation.verify.compare.sources import Source, Window
from generation.verify.compare.words import folded
from search.text.analyzer import term_set
from search.text.shortening import shortened

_MARK = re.compile(
    r"\b(?:unless|except(?:ing)?|provided,? (?:always,? )?that"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )subject to|save (?:as|for|that|where))\b"
)
CONDITION = re.compile(
    r"\b(?:unless|except\w*|provided|providing|subject to|save|if|only|where|when|without|but|"
    r"however|other than|apart from|otherwise|exempt\w*|exclud\w+)\b"
)
"""How a statement tells that something is left open."""
_CLAUSE = re.compile(r"[^,;:.]+")

TOLD = 0.5
"""Part of an exception's terms from which a statement tells it in other words."""


def dropped_exception(claim: str, window: Window, asked: str) -> list[Finding]:
    """Return the exception in the sentence that supports a statement, if the statement has none.

    A condition that opens it is one too, if neither statement nor question has a word of it.

    Args:
        claim: folded.
        asked: the question, folded.
        window: the nearest words of the passage. Only the one stretch of it that has most of the
            statement is looked at: an exception of another sentence excepts from that one.
    """
    terms = term_set(claim)
    stretches = [window.source.stretches[place] for place in window.places]
    nearest = max(stretches, key=lambda one: len(one.terms & terms)).text if stretches else ""
    conditions = set(CONDITION.findall(claim))
    opening = nearest.partition(",")[0] if nearest.startswith(("if ", "where ", "when ")) else ""
    own = frozenset() if conditions else term_set(opening) - GRAMMAR
    if own and not own & (terms | term_set(asked)):
        return [_told(opening, "a condition")]
    for mark in _MARK.finditer(nearest):
        rest = nearest[: mark.start()]
        # Conditions that the passage has besides are not this one in other words.
        if conditions <= set(CONDITION.findall(rest)) and not _is_told(
            nearest[mark.end() :], terms
        ):
            return [_told(nearest[mark.start() :])]
    return []


def cut_off_exception(text: str, sources: list[Source]) -> list[Finding]:
    """Return the exception with which a source continues directly where a quotation ends.

    An ellipsis at its end shows that something is left out.
    """
    findings: list[Finding] = []
    for quoted in quotations(text):
        runs = quoted.runs
        open_end = quoted.text.rstrip().endswith(("…", "...", "]"))
        if not runs or open_end or CONDITION.search(folded(text[quoted.end :])):
            continue
        for source in sources:
            start = source.folded.find(runs[-1])
            behind = source.folded[start + len(runs[-1]) :] if start >= 0 else ""
            if found := re.match(rf"[,;]? {_MARK.pattern}", behind):
                findings.append(_told(behind[found.start() :].lstrip(" ,;")))
    return findings


def _is_told(exception: str, terms: frozenset[str]) -> bool:
    clause = _CLAUSE.match(exception)
    own = term_set(clause[0]) - GRAMMAR if clause else frozenset()
    return bool(own) and len(own & terms) >= TOLD * len(own)


def _told(exception: str, kind: str = "an exception") -> Finding:
    clause = _CLAUSE.match(exception)
    shown = clause[0].strip() if clause else exception
    return Finding("negation", f"The statement omits “{shortened(shown)}”, {kind} in the passage.")
