"""How far the reading of a document can be trusted: a score from its numbers and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.load.warnings import StructureWarning
from search.records import Passage

ENOUGH = 0.75
"""A document with a lower score should be looked at before it is used: of the laws measured in
`benchmarks.laws`, those that lose units without a note stand below it."""

_LONGEST_WORDS = 2_000
"""Words of the longest passage that lowers nothing: the longest single provisions at hand."""
_OPENING_WORDS = 600
"""Words before the first number that need none: titles, preambles."""
_ORDER = frozenset({"gap", "jump", "orphan", "inside"})


@dataclass(frozen=True, slots=True)
class Trust:
    """Four shares of a document, 0 to 1; the score is the lowest."""

    counting: float
    """Passages whose numbers count on, without gaps, jumps and numbers inside texts."""
    numbered: float
    """Words in passages that have a number, not only a heading for one."""
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
    rules = [passage for passage in passages if passage.kind not in {"footnote", "guidance"}]
    words = [len(passage.text.split()) for passage in rules]
    has_number = [any(map(str.isdigit, passage.passage_id)) for passage in rules]
    first = has_number.index(True) if True in has_number else 0
    opening = min(sum(words[:first]), _OPENING_WORDS)
    total = max(1, sum(words))
    numbered = sum(count for count, own in zip(words, has_number, strict=True) if own) + opening
    faults = sum(warning.kind in _ORDER for warning in warnings)
    numbers = Counter(passage.passage_id for passage in rules)
    long = sum(count for count in words if count > _LONGEST_WORDS)
    return Trust(
        counting=1 - min(1.0, faults / max(1, len(rules))),
        numbered=numbered / total if rules else 0.0,
        length=1 - long / total,
        unique=len(numbers) / max(1, len(rules)),
    )
