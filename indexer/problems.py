"""All that is wrong with the sources of one run, reported together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from indexer.blocks import LeftOut
from search.errors import InputError

SHOWN = 20
"""Problems that are spelt out; the rest is counted. One screen holds no more."""


FEWEST_COUNTED = 3
"""Numbers that count on from which they say how good a reading is."""

NOTHING_LOADED = "Nothing was loaded, not even the files without a problem; fix the problems above."
"""The last line of a refusal that other files suffer from."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader left out of one file, for one reason."""

    source: str
    reason: str
    pieces: int
    words: int
    lost: int = 0
    """Words of them that may be text of the document."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One way in which a document was read, and what its source says of it."""

    name: str
    score: float
    """0 to 1: how far the source bears it out."""
    passages: int
    opened: int
    """Numbers that count on in the source and opened a passage."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The readings of one file, the chosen one first, then the others from the best."""

    source: str
    counted: int
    """Numbers that count on in the source."""
    tried: tuple[Tried, ...]

    @property
    def found(self) -> float:
        """The share of these numbers that opened a passage; 1 where too few count on."""
        return self.tried[0].opened / self.counted if self.counted >= FEWEST_COUNTED else 1.0


def word_count(text: str) -> int:
    """Return how many words a text has; leaders such as `. . . .` are not words."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


class Problems:
    """Collects what readers refuse, so that a user mends a source in one go."""

    def __init__(self) -> None:
        self._first: list[InputError] = []
        self._count = 0
        self.of_records = 0
        """Problems for which a record is left out, and not its file."""
        self.guesses: list[str] = []
        """What was guessed of files (fields, encodings, front matter), a sentence each."""
        self.notes: list[Note] = []
        """What was left out of files that can be used."""
        self.choices: list[Choice] = []
        """In which ways files were read."""

    def __len__(self) -> int:
        return self._count

    def add(self, problem: InputError, *, alone: bool = False) -> None:
        """Note a problem; its message already names file and line.

        Args:
            problem: what is wrong.
            alone: whether a record is left out for it, and not its file.
        """
        self._count += 1
        self.of_records += alone
        if len(self._first) < SHOWN:
            self._first.append(problem)

    def refuse(self, problem: str, *place: Any, code: str = "source.invalid") -> None:
        """Note why a file cannot be used; `place` is the file, and the line if it is known."""
        self.add(InputError(problem, *place, code=code))

    def take(self, other: Problems) -> None:
        """Add all that another one has collected."""
        self._count += other._count
        self._first = [*self._first, *other._first][:SHOWN]
        self.guesses += other.guesses
        self.notes += other.notes
        self.choices += other.choices

    def leave_out(self, source: str, pieces: Iterable[LeftOut]) -> None:
        """Note what is in no passage of a file, counted by reason."""
        counts: Counter[str] = Counter()
        words: Counter[str] = Counter()
        lost: Counter[str] = Counter()
        for piece in pieces:
            counts[piece.reason] += 1
            number = word_count(piece.text)
            words[piece.reason] += number
            lost[piece.reason] += number * piece.lost
        self.notes += [Note(source, why, counts[why], words[why], lost[why]) for why in counts]

    def told(self) -> list[str]:
        """Return a line for each problem, and one that counts those that are not spelt out."""
        lines = [str(problem) for problem in self._first]
        if self._count > SHOWN:
            lines.append(f"… and {self._count - SHOWN} more.")
        return lines

    def raise_if_any(self, *, others: bool = False) -> None:
        """Raise one `InputError` that holds every problem, the first one first.

        Args:
            others: whether files without a problem are refused with the rest.
        """
        if not self._first:
            return
        if self._count == 1 and not others:
            raise self._first[0]
        lines = [*self.told(), NOTHING_LOADED] if others else self.told()
        error = InputError("\n".join(lines), code="source.refused")
        error.source, error.line = self._first[0].source, self._first[0].line
        raise error
