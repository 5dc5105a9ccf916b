"""The possible readings of one document, and which of them its source bears out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from indexer.problems import FEWEST_COUNTED, Choice, Problems, Tried
from indexer.structuring.labels.line_labels import HEADING_WORDS
from search.provisions.numbering import container_kind, segments
from search.records import Passage

GOOD = 0.8
"""Score from which no other reading is tried: that of the laws measured in `benchmarks.laws` whose
units are all found is at least so."""
_MARGIN = 0.05
"""What another reading must be better by than the one that is tried first."""
LONGEST_WORDS = 2_000
"""Words of the longest passage that lowers nothing: the longest single provisions at hand."""

Way = Callable[[Problems], Iterable[Passage]]
"""Reads a document in one way; notes what it leaves out, and why it may be of no use."""


def tried(name: str, passages: Sequence[Passage], counted: Mapping[int, int]) -> Tried:
    """Return what the source says of one reading of it; `counted` as `score` takes it."""
    opened = len(_places(passages) & counted.keys())
    return Tried(name, score(passages, counted), len(passages), opened)


def _places(passages: Sequence[Passage]) -> set[int]:
    shown = (one.source.rpartition(":")[2] for one in passages)
    return {int(place) for place in shown if place.isdecimal()}


def score(passages: Sequence[Passage], counted: Mapping[int, int]) -> float:
    """Return how far the source bears out a reading, 0 to 1.

    It is the product of four shares of words: those of numbers that count on in the source and
    opened a passage, those below a number, those in passages of usual length; and of passages whose
    number no other one has.

    Args:
        passages: of the document, as it was read.
        counted: the places of numbers that count on in the source, with the words each is for.
    """
    if not passages:
        return 0.0
    opened = _places(passages)
    found = sum(words for place, words in counted.items() if place in opened)
    lengths = [len(one.text.split()) for one in passages]
    total = max(1, sum(lengths))
    numbered = sum(
        words
        for one, words in zip(passages, lengths, strict=True)
        if words <= HEADING_WORDS or _is_numbered(one.passage_id)
    )
    usual = sum(words for words in lengths if words <= LONGEST_WORDS)
    numbers = Counter(one.passage_id for one in passages)
    unique = len(numbers) / len(passages)
    share = found / max(1, sum(counted.values())) if counted else 1.0
    return share * unique * (usual / total) * (numbered / total if counted else 1.0)


def _is_numbered(number: str) -> bool:
    """Return whether a number has digits, or is of a lettered attachment or division."""
    digits = any(map(str.isdigit, number))
    return digits or any(container_kind(one) for one in segments(number)[:1])


def best(
    ways: Mapping[str, Way], counted: Mapping[int, int], source: str, problems: Problems
) -> Sequence[Passage]:
    """Return the passages of the way to read that the source bears out.

    That is the first one, unless it is not good and another is better.

    Args:
        ways: at least one, by name, the likeliest first.
        counted: as `score` takes it.
        source: the name of the file.
        problems: gets those of the chosen way, and what was tried.
    """
    read: list[tuple[Tried, list[Passage], Problems]] = []
    for name, way in ways.items():
        own = type(problems)()
        passages = list(way(own))
        read.append((tried(name, passages, counted), passages, own))
        if len(counted) < FEWEST_COUNTED or read[0][0].score >= GOOD:
            break
    first = read[0]
    (chosen, passages, own), *others = sorted(
        read, key=lambda one: -one[0].score - _MARGIN * (one is first)
    )
    problems.take(own)
    problems.choices.append(Choice(source, len(counted), (chosen, *(one for one, *_ in others))))
    return passages
