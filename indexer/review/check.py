"""What was read of a document, held against passages that people made of it by hand."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from indexer.review.gold import GoldPassage
from search.errors import InputError
from search.records import Passage

DifferenceKind = Literal["missing", "extra", "text"]

_INVISIBLE = re.compile("[\\s\u200b-\u200f\ufeff]+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where both differ."""

    kind: DifferenceKind
    """`missing`: only the hand-made file has the passage; `extra`: only the reader has it;
    `text`: both have it, with other words."""
    passage_id: str
    text: str
    """The text on the side that has it; for `text` what was read."""
    source: str = ""
    """File and line of what was read."""
    agreement: float = 0.0
    """For `text`: F1 of both texts as multisets of words, 0 to 1."""
    only_by_hand: tuple[str, ...] = ()
    """For `text`: words that the hand-made text has and the other has not (or less often)."""
    only_read: tuple[str, ...] = ()
    """For `text`: words that were read and are not in the hand-made text."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many passages agree, counted over numbers as multisets."""

    gold: int
    """Passages that people made."""
    read: int
    matched: int
    """Passages whose numbers are the same, white space and closing dots aside."""

    @property
    def precision(self) -> float:
        """The part of what was read that people made too, 0 to 1."""
        return self.matched / self.read if self.read else 0.0

    @property
    def recall(self) -> float:
        """The part of what people made that was read, 0 to 1."""
        return self.matched / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        total = self.gold + self.read
        return 2 * self.matched / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Check(Overlap):
    """How the passages agree, and where they do not."""

    text_agreement: float
    """Mean F1 of the words of matched passages, 0 to 1; 1 where nothing can be compared."""
    differences: tuple[Difference, ...]
    """In the order of the document."""


def check(passages: Sequence[Passage], gold: Sequence[GoldPassage]) -> Check:
    """Hold passages that were read against hand-made ones; see `Check`.

    Documents are told apart by their `DocumentID`, unless each side has a single one.

    Raises:
        InputError: the hand-made passages are of other documents.
    """
    by_document = _is_by_document(passages, gold)
    free: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for index, passage in enumerate(passages):
        document = passage.document_id if by_document else ""
        free[document, plain_number(passage.passage_id)].append(index)
    found: list[tuple[tuple[int, int], Difference]] = []
    scores: list[float] = []
    matched = 0
    place = -1
    for one in gold:
        same = free[one.document_id if by_document else "", plain_number(one.passage_id)]
        if not same:
            found.append(((place, 1), Difference("missing", one.passage_id, one.text or "")))
            continue
        place = same.popleft()
        matched += 1
        if one.text is not None:
            passage = passages[place]
            scores.append(token_f1(one.text, passage.text))
            if scores[-1] < 1:
                found.append(((place, 0), _other_words(one.text, passage, scores[-1])))
    left = (index for indexes in free.values() for index in indexes)
    found += [((index, 0), _extra(passages[index])) for index in left]
    found.sort(key=lambda entry: entry[0])
    return Check(
        gold=len(gold),
        read=len(passages),
        matched=matched,
        text_agreement=sum(scores) / len(scores) if scores else 1.0,
        differences=tuple(difference for _, difference in found),
    )


def plain_number(number: str) -> str:
    """Return a number without white space, invisible marks and closing dots."""
    return _INVISIBLE.sub("", number).rstrip(".")


def token_f1(one: str, other: str) -> float:
    """Return the F1 of two texts as multisets of lower-case words; two empty ones agree."""
    first, second = Counter(words(one)), Counter(words(other))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def words(text: str) -> list[str]:
    """Return the words of a text in order, lower case."""
    return _WORD.findall(text.lower())


def _beyond(mine: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return, in order, the words that the others do not have, or not as often."""
    left = Counter(others)
    found = []
    for word in mine:
        if left[word] > 0:
            left[word] -= 1
        else:
            found.append(word)
    return tuple(found)


def _extra(passage: Passage) -> Difference:
    return Difference("extra", passage.passage_id, passage.text, passage.source)


def _other_words(gold: str, passage: Passage, agreement: float) -> Difference:
    theirs, ours = words(gold), words(passage.text)
    return Difference(
        "text",
        passage.passage_id,
        passage.text,
        passage.source,
        agreement,
        _beyond(theirs, ours),
        _beyond(ours, theirs),
    )


def _is_by_document(passages: Sequence[Passage], gold: Sequence[GoldPassage]) -> bool:
    ours = {passage.document_id for passage in passages}
    theirs = {one.document_id for one in gold}
    if ours & theirs:
        return True
    if len(ours) == 1 and len(theirs) == 1:
        return False
    raise InputError(
        f"the hand-made file is about {_named(theirs)}, but the source is about "
        f"{_named(ours)}; give both the same DocumentID",
        code="gold.invalid",
    )


def _named(documents: set[str]) -> str:
    shown = sorted(filter(None, documents))[:3]
    return f"documents {', '.join(shown)} …" if shown else "no document"
