"""Keyword versions of questions, since people type two words as often as whole sentences.

They are made from the question alone, never from its answer, in several ways that no retriever is
better at by construction, and are the same on every run.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from search.text.analyzer import FUNCTION_WORDS, words


@dataclass(frozen=True, slots=True)
class Rarity:
    """Inverse document frequency of lower-case words, as in BM25."""

    values: Mapping[str, float]
    unseen: float

    @classmethod
    def of(cls, texts: Iterable[str]) -> Rarity:
        """Count a corpus, one passage a text."""
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            total += 1
            counts.update(set(words(text)))
        values = {
            word: math.log(1 + (total - count + 0.5) / (count + 0.5))
            for word, count in counts.items()
        }
        return cls(values, math.log(1 + (total + 0.5) / 0.5))

    def __call__(self, word: str) -> float:
        """Return the rarity of one word."""
        return self.values.get(word.lower(), self.unseen)


LENGTHS = ((1, 4), (5, 9))
"""Words of a version, both ends included: the lengths that BDD-FinLegal (equation 2) tells apart
and that ObliQA lacks."""


@dataclass(frozen=True, slots=True)
class KeywordVersion:
    """A question as somebody might type it in a hurry."""

    question_id: str
    """The question it was made from."""
    text: str
    words: int
    """Length as search counts it."""
    method: str
    """`rarest`, `phrases`, `defined-terms` or `leading`."""


@dataclass(frozen=True, slots=True)
class _Word:
    place: int
    text: str
    ends_phrase: bool
    starts_sentence: bool

    @property
    def is_content(self) -> bool:
        return self.text.lower() not in FUNCTION_WORDS


def keyword_versions(question_id: str, question: str, rarity: Rarity) -> list[KeywordVersion]:
    """Return the versions of a question, at most one of each method and length.

    How many words a version has within its length is drawn from a hash of the question's ID. A
    method that finds too few words for a length gives none, and equal texts are given once.
    """
    found = _words(question)
    versions: dict[str, KeywordVersion] = {}
    for least, most in LENGTHS:
        for method, choose in _METHODS.items():
            draw = hashlib.sha256(f"{question_id} {method} {most}".encode()).digest()
            wanted = least + int.from_bytes(draw) % (most - least + 1)
            chosen = sorted(choose(found, wanted, rarity), key=lambda word: word.place)
            text = " ".join(word.text for word in chosen)
            length = len(words(text))
            if least <= length <= most:
                versions.setdefault(text, KeywordVersion(question_id, text, length, method))
    return list(versions.values())


def _words(question: str) -> list[_Word]:
    found: list[_Word] = []
    starts_sentence = True
    for piece in question.split():
        text = re.sub(r"^\W+|\W+$|['’]s\W*$", "", piece)
        if text:
            trailing = piece[piece.rindex(text[-1]) + 1 :]
            ends = bool(re.search(r"[,;:.?!)\]]", trailing))
            found.append(_Word(len(found), text, ends, starts_sentence))
            starts_sentence = bool(re.search(r"[.?!]", trailing))
    return found


def _rarest(found: Sequence[_Word], wanted: int, rarity: Rarity) -> list[_Word]:
    return sorted(_distinct(found), key=lambda word: -rarity(word.text))[:wanted]


def _leading(found: Sequence[_Word], wanted: int, _rarity: Rarity) -> list[_Word]:
    return _distinct(found)[:wanted]


def _phrases(found: Sequence[_Word], wanted: int, rarity: Rarity) -> list[_Word]:
    """Choose the longest runs of content words; an English noun phrase ends with its head."""
    content = [word.is_content for word in found]
    runs = sorted(
        _runs(found, content), key=lambda run: (-len(run), -sum(rarity(word.text) for word in run))
    )
    return _take(runs, wanted, from_end=True)


def _defined_terms(found: Sequence[_Word], wanted: int, _rarity: Rarity) -> list[_Word]:
    """Choose capitalised terms in order; regulations write defined terms so."""
    capitalised = [
        word.is_content
        and word.text[0].isupper()
        and (not word.starts_sentence or word.text[1:2].isupper())
        for word in found
    ]
    return _take(_runs(found, capitalised), wanted, from_end=False)


def _distinct(found: Sequence[_Word]) -> list[_Word]:
    first: dict[str, _Word] = {}
    for word in found:
        if word.is_content:
            first.setdefault(word.text.lower(), word)
    return list(first.values())


def _runs(found: Sequence[_Word], belongs: Sequence[bool]) -> list[list[_Word]]:
    runs: list[list[_Word]] = [[]]
    for word, inside in zip(found, belongs, strict=True):
        if inside:
            runs[-1].append(word)
        if not inside or word.ends_phrase:
            runs.append([])
    return [run for run in runs if run]


def _take(runs: Iterable[Sequence[_Word]], wanted: int, *, from_end: bool) -> list[_Word]:
    taken: list[_Word] = []
    seen: set[str] = set()
    for run in runs:
        rest = wanted - len(taken)
        name = " ".join(word.text.lower() for word in run)
        if rest > 0 and name not in seen:
            taken.extend(run[-rest:] if from_end else run[:rest])
            seen.add(name)
    return taken


_METHODS = {
    "rarest": _rarest,
    "phrases": _phrases,
    "defined-terms": _defined_terms,
    "leading": _leading,
}
