"""How far the reading of a document can be trusted: a score from its numbers and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.acts.provisions import FORMULAS, PREAMBLE
from indexer.load.splitting import is_continuation
from indexer.load.warnings import StructureWarning
from indexer.numbering.fences import fenced_lines
from indexer.numbering.line_labels import parse_line
from search.provisions.numbering import container_kind, segments
from search.records import Passage

ENOUGH = 0.75
"""A document with a lower score should be looked at before it is used: of the laws measured in
`benchmarks.laws`, those that lose units without a note are below it."""

_LONGEST_WORDS = 2_000
"""Words of the longest passage that lowers nothing: the longest single provisions at hand."""
_OPENING_WORDS = 600
"""Words before the first number that need none: titles, preambles."""
_AROUND_JUMP = 2
"""Units that are doubtful where a number goes back: the one before it, and its own."""
_FEWEST_JUMPS = 3
"""Numbers that go back in a text that lost its order at least."""
_JUMPS = 1 / 12
"""Their least share of the numbers below the same ones: .11 to .25 in texts read across columns, at
most .06 in codes whose parts begin again with 1 or are printed in another order."""
_TOUCHED = 0.1
"""Least share of the document that these numbers are."""
_ORDER = frozenset({"gap", "jump", "orphan", "inside"})


@dataclass(frozen=True, slots=True)
class Trust:
    """Four shares of a document, 0 to 1; the score is the lowest."""

    counting: float
    """Passages whose numbers count on, without gaps, jumps and numbers inside texts; in a text
    that lost its order, at most the units whose numbers do not go back."""
    numbered: float
    """Words in passages that have a number; in a document without numbers, a heading of its own."""
    length: float
    """Words in passages that are not far longer than provisions are."""
    unique: float
    """Passages whose number no other passage has."""

    @property
    def score(self) -> float:
        """The lowest of the four."""
        return min(self.counting, self.numbered, self.length, self.unique)

    def reason(self) -> str:
        """Return what lowers the score most."""
        reasons = {
            "counting": "numbers that are not consecutive",
            "numbered": "text without a number",
            "length": "very long passages",
            "unique": "numbers that occur more than once",
        }
        return reasons[min(reasons, key=lambda name: getattr(self, name))]


def trust_of(passages: Sequence[Passage], warnings: Sequence[StructureWarning]) -> Trust:
    """Return the trust in one document.

    Args:
        passages: the document, in its order.
        warnings: about it.
    """
    rules = [
        passage
        for passage in passages
        if passage.kind not in {"footnote", "guidance"} and not is_continuation(passage)
    ]
    words = [len(passage.text.split()) for passage in rules]
    has_number = _numbered(rules)
    first = has_number.index(True) if True in has_number else 0
    opening = min(sum(words[:first]), _OPENING_WORDS)
    total = max(1, sum(words))
    numbered = sum(count for count, own in zip(words, has_number, strict=True) if own) + opening
    faults = sum(warning.kind in _ORDER for warning in warnings)
    numbers = Counter(passage.passage_id for passage in rules)
    units = len({_unit(number) for number in numbers})
    jumps = sum(warning.kind == "jump" for warning in warnings)
    lost = _AROUND_JUMP * jumps / units if lost_order(passages, warnings) else 0.0
    long = sum(count for count in words if count > _LONGEST_WORDS)
    return Trust(
        counting=1 - min(1.0, max(faults / max(1, len(rules)), lost)),
        numbered=numbered / total if rules else 0.0,
        length=1 - long / total,
        unique=len(numbers) / max(1, len(rules)),
    )


def lost_order(passages: Sequence[Passage], warnings: Sequence[StructureWarning]) -> bool:
    """Return whether the numbers of a document go back so often that they may be wrong."""
    back = [segments(one.passage_id)[:-1] for one in warnings if one.kind == "jump"]
    above = [number[:-1] for number in {segments(one.passage_id) for one in passages}]
    touched = sum(map(set(back).__contains__, above))
    enough = max(_FEWEST_JUMPS, _JUMPS * touched)
    return len(back) >= enough and touched >= _TOUCHED * len(above)


def _unit(number: str) -> tuple[str, ...]:
    """Return the segments of the article, section or rule that a number is below."""
    found = segments(number)
    at = next((at for at, one in enumerate(found) if container_kind(one) == "unit"), None)
    return found[:-1] or found if at is None else found[: at + 1]


def _numbered(rules: Sequence[Passage]) -> list[bool]:
    """Return which passages have a number, or a heading if only headings divide the document.

    A line that begins with the number of an article or one of several levels shows that the
    numbers of a document were not recognised: its headings are not enough.
    """
    if any(_has_number(one.passage_id) for one in rules) or any(map(_hides_number, rules)):
        return [any(map(str.isdigit, one.passage_id)) for one in rules]
    around = {PREAMBLE, FORMULAS, *(one.document_title for one in rules)}
    return [one.passage_id not in around for one in rules]


def _has_number(passage_id: str) -> bool:
    """Return whether the outermost segment is a number, and not the words of a heading."""
    first = next(iter(segments(passage_id)), "")
    prose = " " in first and container_kind(first) is None
    return any(map(str.isdigit, first)) and not prose


def _hides_number(passage: Passage) -> bool:
    """Return whether a line outside tables begins with a number; versions are numbers in tables."""
    lines = passage.text.split("\n")
    fenced = fenced_lines(lines)
    found = (parse_line(line) for at, line in enumerate(lines) if at not in fenced)
    return any(one is not None and one.bare is None for one in found)
