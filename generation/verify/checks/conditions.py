"""Finds conditions and exceptions that a statement drops: without them it says too much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from generation.statements.conditions import CONDITION, OPENS, Clause, conditions_in
from generation.statements.quotes import quotations
from generation.statements.words import folded
from generation.verification import Finding
from generation.verify.compare.sources import Source, Window
from generation.verify.margins import SUPPORT
from search.language import vocabulary
from search.text.analyzer import GRAMMAR, term_set
from search.text.shortening import shortened

_NAMED = re.compile(rf"\b{vocabulary.any_of('definitions.articles', 'en')} (\w+)")
_PARTY = re.compile(r"^\W*(?:\w+ ){0,3}\w+")
"""Who is bound, at the beginning of what a condition limits."""


def dropped_condition(claim: str, window: Window, asked: str) -> list[Finding]:
    """Return the condition or exception of the supporting sentence that a statement drops.

    Only the one stretch that has most of the claim is looked at, and what introduces it; what the
    question or the statements beside this one tell (`asked`) is not dropped.
    """
    terms, conditions = term_set(claim), set(CONDITION.findall(claim))
    told, stretches = terms | term_set(asked), window.source.stretches
    place = max(window.places, key=lambda one: len(stretches[one].terms & terms), default=None)
    while place is not None:
        for clause in conditions_in(stretches[place].text):
            # Conditions that the passage has besides are not this one in other words.
            others = set(CONDITION.findall(clause.rest))
            if conditions <= others and _is_dropped(clause, terms, told):
                return [_omission(clause)]
        place = stretches[place].parent
    return []


def _is_dropped(clause: Clause, terms: frozenset[str], told: frozenset[str]) -> bool:
    governed = term_set(clause.governs) - GRAMMAR
    if len(governed & terms) < SUPPORT.half * len(governed):
        return False
    whole = term_set(clause.text) - GRAMMAR
    if clause.excepts:
        return len(whole & terms) < SUPPORT.half * len(whole) or not whole
    own = whole - term_set(clause.rest)
    # "If a check shows a gap, a firm must close the gap": who speaks of a gap tells its condition.
    again = _PARTY.sub("", clause.rest.strip())
    taken_up = {*_NAMED.findall(clause.text)} & {*_NAMED.findall(again)}
    own |= term_set(" ".join(taken_up)) if own else own
    is_untold = len(own & told) < SUPPORT.told * len(own)
    return is_untold and len(whole) >= int(SUPPORT.condition)


def cut_off_condition(text: str, sources: Sequence[Source]) -> list[Finding]:
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
            if re.match(rf"[,;]? {OPENS}", behind):
                findings += map(_omission, islice(conditions_in(behind.lstrip(" ,;")), 1))
    return findings


def _omission(clause: Clause) -> Finding:
    kind = "an exception" if clause.excepts else "a condition"
    shown = shortened(clause.text.strip())
    return Finding("negation", f"The statement omits “{shown}”, {kind} in the passage.")
