"""The possible readings of one document, and which of them its source bears out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from indexer.numbering.line_labels import HEADING_WORDS
from indexer.problems import Problems
from search.provisions.numbering import container_kind, segments
from search.records import Passage

GOOD = 0.8
"""Score from which no other reading is tried: that of the laws measured in `benchmarks.laws` whose
units are all found is at least so."""
_MARGIN = 0.05
"""What another reading must be better by than the one that is tried first."""
FEWEST_COUNTED = 4
"""Numbers that count on from which they say how good a reading is."""
_LONGEST_WORDS = 2_000
"""Words of the longest passage that lowers nothing: the longest single provisions at hand."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one way to read a document makes of it."""

    name: str
    passages: Sequence[Passage]
    problems: Problems
    """What it leaves out, and why it may be of no use."""
    score: float = 0.0

    @property
    def places(self) -> set[int]:
        """Where in the source passages begin."""
        shown = (one.source.rpartition(":")[2] for one in self.passages)
        return {int(place) for place in shown if place.isdecimal()}


def read(
    name: str, passages: Callable[[Problems], Iterable[Passage]], problems: Problems
) -> Reading:
    """Return a reading with problems of its own, of the kind of those that may take them."""
    own = type(problems)()
    return Reading(name, list(passages(own)), own)


def score(reading: Reading, counted: Mapping[int, int]) -> float:
    """Return how far the source bears out a reading, 0 to 1.

    It is the product of four shares of words: those of numbers that count on in the source and
    opened a passage, those below a number, those in passages of usual length; and of passages whose
    number no other one has.

    Args:
        reading: of the document.
        counted: the places of numbers that count on in the source, with the words each is for.
    """
    opened = reading.places
    found = sum(words for place, words in counted.items() if place in opened)
    lengths = [len(one.text.split()) for one in reading.passages]
    total = max(1, sum(lengths))
    numbered = sum(
        words
        for one, words in zip(reading.passages, lengths, strict=True)
        if words <= HEADING_WORDS or _is_numbered(one.passage_id)
    )
    usual = sum(words for words in lengths if words <= _LONGEST_WORDS)
    numbers = Counter(one.passage_id for one in reading.passages)
    unique = len(numbers) / max(1, len(reading.passages))
    share = found / max(1, sum(counted.values())) if counted else 1.0
    return share * unique * (usual / total) * (numbered / total if counted else 1.0)


def _is_numbered(number: str) -> bool:
    """Return whether a number has digits, or is of a lettered attachment or division."""
    digits = any(map(str.isdigit, number))
    return digits or any(container_kind(one) for one in segments(number)[:1])


def best(trials: Iterable[Callable[[], Reading]], counted: Mapping[int, int]) -> Reading:
    """Return the reading that the source bears out; the first one unless another is better.

    Args:
        trials: at least one: what makes each reading, the likeliest first.
        counted: as `score` takes it.
    """
    chosen: Reading | None = None
    for place, trial in enumerate(trials):
        reading = trial()
        measured = replace(reading, score=score(reading, counted) if reading.passages else 0.0)
        if chosen is None or measured.score > chosen.score + _MARGIN:
            chosen = measured
        if place == 0 and (chosen.score >= GOOD or len(counted) < FEWEST_COUNTED):
            break
    if chosen is None:
        raise ValueError("no reading to choose from")
    return chosen
