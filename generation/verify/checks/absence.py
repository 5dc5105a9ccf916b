"""Checks a sentence that says what its passages do not state: `No deadline is stated.`"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from generation.text.values import ValueKind, values_in
from generation.verification import Finding
from generation.verify.compare.sources import Source

_KINDS: Mapping[str, frozenset[ValueKind]] = {
    "time": frozenset({"time", "date"}), "money": frozenset({"money"}),
    "share": frozenset({"percent"}), "number": frozenset({"number", "percent", "money"}),
}  # fmt: skip
_NOUNS: Mapping[str, str] = {
    "time": r"deadlines?|time limits?|time ?frames?|periods?|frequenc(?:y|ies)|intervals?|dates?",
    "money": r"amounts?|fees?|fines?|sums?|costs?|prices?",
    "share": r"(?:share or threshold)|percentages?|thresholds?|ratios?|shares?",
    "number": r"(?:minimum |maximum )?(?:numbers?|figures?|limits?)",
}
_STATED = r"(?:stated|set|given|named|specified|prescribed|mentioned|fixed|laid down)"
_PASSAGES = r"(?:passages?|provisions?|rules?|sources?|text)"
_TAIL = rf"(?: (?:here|there|in (?:the|these|this)(?: cited| given)? {_PASSAGES}))?\.?"
_ABSENCE = re.compile(
    rf"no (?P<passive>[a-z ]+?) (?:is|are) {_STATED}{_TAIL}"
    rf"|(?:the|these|this) (?:cited |given )?{_PASSAGES} (?:states?|sets?|gives?|names?|"
    r"specif(?:y|ies)|prescribes?|mentions?) no (?P<active>[a-z ]+?)\.?"
)


def is_absence(claim: str) -> bool:
    """Return whether a folded sentence does nothing but say that a kind of value is not stated."""
    return _absent_kind(claim) is not None


def _absent_kind(claim: str) -> str | None:
    found = _ABSENCE.fullmatch(claim.replace(" .", ".").strip())
    said = (found["passive"] or found["active"]) if found else ""
    return next((kind for kind, nouns in _NOUNS.items() if re.fullmatch(nouns, said)), None)


def stated_after_all(claim: str, sources: Collection[Source]) -> list[Finding]:
    """Return the passages that state what a sentence says is not stated."""
    kind = _absent_kind(claim)
    wanted = _KINDS[kind] if kind else frozenset()
    return [
        Finding("number", f"[{source.number}] states one.")
        for source in sources
        if wanted & values_in(source.passage.text)
    ]
