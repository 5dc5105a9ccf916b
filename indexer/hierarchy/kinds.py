"""What a passage is, by its number and its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.structuring.labels.line_labels import heading
from search.records import Kind

_FENCE = re.compile(r"[\\/](Table|Figure) Start")
_DEFINITION = re.compile(
    r"[\"“‘']?[A-Z][^.:;\n]{0,80}?[\"”’']?\s+(?:means\b|has the (?:same )?meaning\b)"
)
_RULE = 2
"""The 0-based segment that is the rule's own number, below chapter and section: `4.1.2R`."""
_LETTERED = re.compile(r"\d+[a-z]?(?:[rgedcp]|uk|eu)")
_MOST = 0.75
"""Share of a book's rules that have such a letter; annexes and tables need none."""
DEFINITION_SEGMENTS = frozenset({"definition", "definitions", "glossary", "interpretation"})
"""What is below such a segment of a number is a definition."""


def kind_of(segments: Sequence[str], text: str, has_children: bool) -> Kind:
    """Return the kind of a passage.

    A fence makes a table or figure; then the number decides (`2.1.3.Guidance.1` is guidance and
    `2.1.3.Footnote.1` a footnote, however they read); then the text. A short line is a heading if
    passages are below it or it is in capitals, and so is an empty passage that others are
    below.

    Args:
        segments: the normalised segments of its number.
        text: its text.
        has_children: whether another passage of the document has it as parent.
    """
    fence = _FENCE.search(text)
    if fence:
        return "table" if fence.group(1) == "Table" else "figure"
    if told := _kind_of_number(segments):
        return told
    if has_children and (not text.strip() or heading(text) == text.strip()):
        return "heading"
    if not DEFINITION_SEGMENTS.isdisjoint(segments) or _DEFINITION.match(text.strip()):
        return "definition"
    if heading(text) and text.strip() == heading(text).upper() and text.upper() != text.lower():
        return "heading"
    return "rule"


def lettered_guidance(numbers: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the places of guidance in a book whose numbers say what they are by a letter.

    There `4.1.2R` is a rule and `4.1.3G` guidance, with all below it; where only some numbers have
    letters, `12G` was put in after `12F`.

    Args:
        numbers: the normalised segments of every number of the book.
    """
    rules = {at: number[_RULE] for at, number in enumerate(numbers) if len(number) > _RULE}
    lettered = [at for at, rule in rules.items() if _LETTERED.fullmatch(rule)]
    if not rules or len(lettered) < _MOST * len(rules):
        return frozenset()
    return frozenset(at for at in lettered if rules[at].endswith("g"))


def _kind_of_number(segments: Sequence[str]) -> Kind | None:
    """Return the kind that the innermost telling segment of a number gives."""
    for segment in reversed(segments):
        if segment == "footnote":
            return "footnote"
        if segment.startswith(("guidance", "recital ")):
            return "guidance"
    return None
