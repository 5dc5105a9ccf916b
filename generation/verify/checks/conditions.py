"""Finds conditions and exceptions that a statement drops: without them it says too much."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.verification import Finding
from generation.verify.compare.languages import GRAMMAR
from generation.verify.compare.quotes import quotations
from generation.verify.compare.sources import Source, Window
from generation.verify.compare.words import folded
from search.language import vocabulary
from search.text.analyzer import term_set
from search.text.shortening import shortened

_OPENS = (
    rf"(?:{vocabulary.any_of('conditions.anywhere', 'en')}"
    rf"|(?:^|(?<=, )|(?<=\) )){vocabulary.any_of('conditions.parted', 'en')})\b"
)
_BEHIND = re.compile(rf"\b{vocabulary.any_of('conditions.not_behind', 'en')}(,?) $")
_MARK = re.compile(rf"\b{_OPENS}")
_EXCEPTS = frozenset(vocabulary.words("conditions.exceptions", "en"))
CONDITION = re.compile(rf"\b{vocabulary.forms('conditions.told', 'en')}\b")
"""How a statement tells that something is left open."""
_CLAUSE = re.compile(r"[^,;:.]+")

TOLD = 0.5
"""Part of a clause's terms from which a statement tells it in other words."""

FEWEST_TERMS = 2
"""Terms of a condition: with fewer, such as `where applicable`, it binds nothing by itself."""

_NAMED = re.compile(rf"\b{vocabulary.any_of('definitions.articles', 'en')} (\w+)")
_PARTY = re.compile(r"^\W*(?:\w+ ){0,3}\w+")
"""Who is bound, at the beginning of what a condition limits."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A condition or exception of a sentence, folded."""

    text: str
    governs: str
    """The words that it limits."""
    rest: str
    """The sentence without it."""
    excepts: bool


def _clauses(sentence: str) -> Iterator[_Clause]:
    """Yield the conditions of a folded sentence.

    One that opens the sentence, or stands between commas behind `and`, limits what follows it;
    any other what is before it, as far as the last comma.
    """
    for mark in _MARK.finditer(sentence):
        before, behind = sentence[: mark.start()], sentence[mark.end() :]
        unbound = _BEHIND.search(before)
        if unbound and not unbound[1]:
            continue
        clause = _CLAUSE.match(behind)
        end = mark.end() + (clause.end() if clause else 0)
        after = sentence[end:].lstrip(", ")
        ahead = not before.strip(" ()") or before.rstrip().endswith((" and,", " or,"))
        limited = _CLAUSE.match(after) if ahead else None
        governs = limited[0] if limited else re.split("[,;:]", before.rstrip(" ,;:"))[-1]
        yield _Clause(sentence[mark.start() : end], governs, f"{before} {after}",
                      mark[0].split()[0] in _EXCEPTS)  # fmt: skip


def dropped_condition(claim: str, window: Window, asked: str) -> list[Finding]:
    """Return the condition or exception of the supporting sentence that a statement drops.

    Args:
        claim: folded.
        asked: the question and the statements beside this one, folded.
        window: the nearest words of the passage. Only the one stretch of it that has most of the
            statement is looked at, and for exceptions what introduces it: an exception of another
            sentence excepts from that one, and who speaks of an item leaves open in which case.
    """
    terms, conditions = term_set(claim), set(CONDITION.findall(claim))
    stretches, places = window.source.stretches, window.places
    nearest = max(places, key=lambda one: len(stretches[one].terms & terms), default=None)
    place = nearest
    while place is not None:
        for clause in _clauses(stretches[place].text):
            # Conditions that the passage has besides are not this one in other words.
            others = set(CONDITION.findall(clause.rest))
            near = clause.excepts or place == nearest
            if near and conditions <= others and _is_dropped(clause, terms, term_set(asked)):
                return [_omission(clause)]
        place = stretches[place].parent
    return []


def _is_dropped(clause: _Clause, terms: frozenset[str], asked: frozenset[str]) -> bool:
    governed = term_set(clause.governs) - GRAMMAR
    if len(governed & terms) < TOLD * len(governed):
        return False
    whole = term_set(clause.text) - GRAMMAR
    if clause.excepts:
        return len(whole & terms) < TOLD * len(whole) or not whole
    own = whole - term_set(clause.rest)
    # "If a check shows a gap, a firm must close the gap": who speaks of a gap tells its condition.
    again = _PARTY.sub("", clause.rest.strip())
    taken_up = {*_NAMED.findall(clause.text)} & {*_NAMED.findall(again)}
    own |= term_set(" ".join(taken_up)) if own else own
    return len(whole) >= FEWEST_TERMS and bool(own) and not own & (terms | asked)


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
            if re.match(rf"[,;]? {_OPENS}", behind):
                findings.append(_omission(next(_clauses(behind.lstrip(" ,;")))))
    return findings


def _omission(clause: _Clause) -> Finding:
    kind = "an exception" if clause.excepts else "a condition"
    shown = shortened(clause.text.strip())
    return Finding("negation", f"The statement omits “{shown}”, {kind} in the passage.")
