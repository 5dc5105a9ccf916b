"""How far the reading of a document can be trusted: a score from its numbers and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indexer.load.splitting import is_continuation
from indexer.load.warnings import StructureWarning
from indexer.problems import Choice
from indexer.structuring.acts.provisions import FORMULAS, PREAMBLE
from indexer.structuring.labels.labels import line_label
from indexer.structuring.lines.fences import fenced_lines
from indexer.structuring.units.readings import LONGEST_WORDS
from search.provisions.numbering import container_kind, segments
from search.records import Passage

ENOUGH = 0.75
"""A document with a lower score should be looked at before it is used: of the laws measured in
`benchmarks.laws`, those that lose units without a note are below it."""

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
_STEP, _FEWEST_STEPS, _MOST = 5, 5, 0.8
"""Numbers that are multiples of this, how many at least, and which share of all."""
_NO_COLUMN = 0.5
"""Trust in a table in which no column of numbers was found, so that rows are counted."""
_FEWEST_NUMBERS = 20
"""Numbered passages of a document that other headed texts may be among."""
_ORDER = frozenset({"gap", "jump", "orphan", "inside"})


@dataclass(frozen=True, slots=True)
class Trust:
    """Five shares of a document, 0 to 1; the score is the lowest."""

    counting: float
    """Passages whose numbers count on, without gaps, jumps and numbers inside texts; in a text
    that lost its order, at most the units whose numbers do not go back."""
    numbered: float
    """Words in passages that have a number; in a document without numbers, a heading of its own."""
    length: float
    """Words in passages that are not far longer than provisions are."""
    unique: float
    """Passages whose number no other passage has."""
    found: float = 1.0
    """Numbers that count on in the source and opened a passage; 1 where that is not known."""

    @property
    def score(self) -> float:
        """The lowest of the five."""
        return min(self.counting, self.numbered, self.length, self.unique, self.found)

    def reason(self) -> str:
        """Return what lowers the score most."""
        reasons = {
            "counting": "numbers that are not consecutive",
            "numbered": "text without a number",
            "length": "very long passages",
            "unique": "numbers that occur more than once",
            "found": "numbers of the source that opened no passage",
        }
        return reasons[min(reasons, key=lambda name: getattr(self, name))]


def trust_of(
    passages: Sequence[Passage],
    warnings: Sequence[StructureWarning],
    choices: Mapping[str, Choice] | None = None,
) -> Trust:
    """Return the trust in one document.

    Args:
        passages: the document, in its order.
        warnings: about it.
        choices: in which ways each file was read, by its name.
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
    gaps_are_natural = _steps(rules)
    faults = sum(
        one.kind in _ORDER and not (one.kind == "gap" and gaps_are_natural) for one in warnings
    )
    numbers = Counter(passage.passage_id for passage in rules)
    units = len({_unit(number) for number in numbers})
    jumps = sum(warning.kind == "jump" for warning in warnings)
    lost = _AROUND_JUMP * jumps / units if lost_order(passages, warnings) else 0.0
    long = sum(count for count in words if count > LONGEST_WORDS)
    return Trust(
        counting=1 - min(1.0, max(faults / max(1, len(rules)), lost)),
        numbered=min(
            numbered / total,
            _filled(rules, has_number),
            _NO_COLUMN if all(map(_is_row, rules)) else 1.0,
        )
        if rules
        else 0.0,
        length=1 - long / total,
        unique=len(numbers) / max(1, len(rules)),
        found=1.0 if (choice := choice_of(passages, choices or {})) is None else choice.found,
    )


def choice_of(passages: Sequence[Passage], choices: Mapping[str, Choice]) -> Choice | None:
    """Return in which ways the file of a document was read, or None where there is but one."""
    source = passages[0].source if passages else ""
    return choices.get(source) or choices.get(source.rpartition(":")[0])


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


def _steps(rules: Sequence[Passage]) -> bool:
    """Return whether numbers step by five or ten, which leaves room for later ones."""
    last = [one for rule in rules for one in segments(rule.passage_id)[-1:] if one.isdigit()]
    stepped = sum(int(one) % _STEP == 0 for one in last)
    return len(last) >= _FEWEST_STEPS and stepped >= _MOST * len(last)


def _filled(rules: Sequence[Passage], has_number: Sequence[bool]) -> float:
    """Return the share of numbers with a text, or with passages below, if most have none."""
    above = {one.parent for one in rules}
    found = [
        bool(one.text.strip()) or one.id in above
        for one, own in zip(rules, has_number, strict=True) if own
    ]  # fmt: skip
    share = sum(found) / max(1, len(found))
    return share if 2 * share < 1 and found else 1.0


def _numbered(rules: Sequence[Passage]) -> list[bool]:
    """Return which passages have a number, or a heading if only headings divide the document.

    A line that begins with the number of an article or one of several levels shows that the
    numbers of a document were not recognised: its headings are not enough. Headed texts among
    many numbers, as in a catalogue of controls, need none if no number is in them.
    """
    around = {PREAMBLE, FORMULAS, *(one.document_title for one in rules)}
    headed = [one.passage_id not in around for one in rules]
    own = [any(map(str.isdigit, one.passage_id)) for one in rules]
    hides = [_hides_number(one) for one in rules]
    if any(hides) or any(_has_number(one.passage_id) for one in rules):
        if sum(own) < max(_FEWEST_NUMBERS, len(own) / 2):
            return own
        return [
            one or (head and not lost) for one, head, lost in zip(own, headed, hides, strict=True)
        ]
    return headed


def _is_row(passage: Passage) -> bool:
    """Return whether a passage is called by the row of its table: `Row 5`, `Risks, row 5`."""
    return (
        passage.passage_id.lower().removesuffix(passage.source.rpartition(":")[2]).endswith("row ")
    )


def _has_number(passage_id: str) -> bool:
    """Return whether the outermost segment is a number, and not the words of a heading."""
    first = next(iter(segments(passage_id)), "")
    prose = " " in first and container_kind(first) is None
    return any(map(str.isdigit, first)) and not prose


def _hides_number(passage: Passage) -> bool:
    """Return whether a line outside tables begins with a number; versions are numbers in tables."""
    lines = passage.text.split("\n")
    fenced = fenced_lines(lines)
    found = (line_label(line) for at, line in enumerate(lines) if at not in fenced)
    return any(one is not None and not one[0].rstrip(".)").isalnum() for one in found)
