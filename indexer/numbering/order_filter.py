"""The order of numbers in a text: which of the possible passage openings are real.

A chapter heading `3.` and the third item of a list look the same. What parts them is the order:
chapter numbers only grow, and the numbers after a chapter heading begin with the chapter's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise, takewhile
from string import ascii_uppercase

from indexer.numbering.divisions import Enclosing, begin_anew, is_division
from indexer.numbering.line_labels import NumberedLine, heading
from search.language import vocabulary
from search.provisions.numbering import container_kind, segments


@dataclass(frozen=True, slots=True)
class Opening:
    """A line of the text that may open a passage."""

    line: int
    """0-based index of the line."""
    numbered: NumberedLine


_IN_APPENDIX = re.compile(r"A[\d.]")
"""How numbers begin that name an appendix by its letter alone: `A2.1.1` of `APP2`."""

_GROUPS = vocabulary.units_of("division") | {"section"}
_DIVISION = re.compile(
    rf"{vocabulary.pattern(_GROUPS, 'en', short=False)}\s?(\d{{1,3}})\.?", re.IGNORECASE
)
"""In `Chapter 3` rules may begin with `3.1`, though no number of chapter 2 stood before."""

_REFERENCE = re.compile(
    rf"{vocabulary.pattern(vocabulary.units_of('rule'), 'en')}\s?\d", re.IGNORECASE
)
"""Numbers that also are in references (`Rule 3.5.8`), unless they number the whole text."""


def real_openings(candidates: Sequence[Opening]) -> list[tuple[Opening, str]]:
    """Return the openings that fit the order of the text, each with its full number.

    Numbers relative to an appendix are completed: `A2.1.1` below `APP2` is `APP2.A2.1.1`, and so
    is the `1.1` of one in which numbers begin at 1 again, or of such a part. The headings before
    the first number, such as `PART 1`, do not tell how a text is numbered.
    """
    kept: list[tuple[Opening, str]] = []
    headings = list(takewhile(_is_division, candidates))
    fit = _without_strays(_without_references(candidates[len(headings) :]))
    for attachment, piece in _pieces(fit):
        above = [attachment] if attachment else headings
        runs = _runs(piece)
        if len(runs) > 1:
            kept += _in_divisions(above, runs)
        else:
            kept += [(one, one.numbered.number) for one in above]
            kept += _fitting(piece, attachment.numbered.number.rstrip(".:") if attachment else "")
    return kept


def _in_divisions(
    above: Sequence[Opening], runs: Sequence[Sequence[Opening]]
) -> Iterator[tuple[Opening, str]]:
    """Yield the openings of a text whose numbers begin at 1 again in its parts."""
    enclosing = Enclosing()
    fitting = [one for run in runs for one in _fitting(run, "")]
    for opening, number in [*((one, one.numbered.number) for one in above), *fitting]:
        yield opening, enclosing.full(number)


def _runs(piece: Sequence[Opening]) -> list[Sequence[Opening]]:
    """Return a piece cut before each part in which numbers begin at 1 again."""
    cuts = begin_anew([one.numbered for one in piece])
    return [piece[start:end] for start, end in pairwise([0, *cuts, len(piece)])]


def _fitting(piece: Sequence[Opening], home: str) -> Iterator[tuple[Opening, str]]:
    """Yield the openings of a piece that fit its order; `home` is the attachment it is, or ""."""
    order, attachment = _Order(list(dropwhile(_is_division, piece))), home
    for opening, following in zip(piece, _next_chapters(piece), strict=True):
        if order.accepts(opening, following):
            number = opening.numbered.number
            attachment = _attachment(number, attachment) or home
            relative = _IN_APPENDIX.match(number) or (home and number[0].isdigit())
            yield opening, f"{attachment}.{number}" if attachment and relative else number


def _pieces(candidates: Sequence[Opening]) -> Iterator[tuple[Opening | None, list[Opening]]]:
    """Yield the body of a text, and each attachment whose numbers begin at 1 again with its own."""
    anew: Opening | None = None
    piece: list[Opening] = []
    for place, opening in enumerate(candidates):
        if piece and _begins_anew(candidates, place):
            yield anew, piece
            anew, piece = opening, []
        else:
            piece.append(opening)
    yield anew, piece


def _begins_anew(candidates: Sequence[Opening], place: int) -> bool:
    """Return whether an opening is an attachment, and the next a first number."""
    opening, following = candidates[place], candidates[place + 1 : place + 2]
    if not following or not _attachment(opening.numbered.number, ""):
        return False
    return all(part == "1" for part in segments(following[0].numbered.number))


class _Order:
    """Where a text is in its own numbering, line by line."""

    def __init__(self, candidates: Sequence[Opening]) -> None:
        first = candidates[0].numbered if candidates else None
        headed = first is not None and first.marked and first.bare == "A"
        counted = [o for o in candidates if o.numbered.first is not None] if headed else candidates
        begins = counted[0].numbered if counted else None
        self._flat = _is_flat(counted)
        self._style = begins.style if begins else ""
        # Lettered chapters open a text that has them; elsewhere letters number lists.
        self._letter = "A" if first and first.number[0] == "A" else ""
        self._lettered: tuple[str, int] | None = None
        self._bare_from_start = bool(begins and begins.first is not None)
        self._chapter = -1
        self._division = 0
        self._suffix = ""
        self._in_list = False
        self._last = {o.numbered.first: o.line for o in candidates if o.numbered.bare}

    def accepts(self, opening: Opening, following: int | None) -> bool:
        """Return whether the number fits, and move to it if it does."""
        numbered = opening.numbered
        if numbered.first is not None:
            fits = self._fits_number(opening, numbered.first, following)
            self._in_list = not fits
            if fits:
                self._chapter, self._suffix = numbered.first, _suffix(numbered)
            return fits
        if numbered.lettered:
            return self._fits_letter(numbered, *numbered.lettered)
        if numbered.bare:
            fits = numbered.bare == self._letter
            self._letter = chr(ord(self._letter) + 1) if fits else self._letter
            return fits
        if division := _DIVISION.fullmatch(numbered.number):
            self._division = int(division[1])
        return True

    def _fits_number(self, opening: Opening, number: int, following: int | None) -> bool:
        numbered = opening.numbered
        if not numbered.bare:
            begun = self._chapter > 0
            known = max(self._chapter + 1, self._division)
            last = known if begun and not numbered.tabbed else number
            return self._chapter <= number <= last
        if not self._bare_from_start:
            return False
        if self._flat:
            return numbered.style == self._style and self._comes_next(opening, number)
        if following is None:
            # The last chapters may have no rules; items of a list in the last rule begin at 1.
            return (
                not self._in_list and number == self._chapter + 1 and numbered.style == self._style
            )
        if number <= self._chapter:
            return False
        # A chapter without rules of its own (it was deleted) is followed by a later one's.
        expected = number == max(self._chapter, 0) + 1 or numbered.marked
        return following == number or (expected and following > number)

    def _fits_letter(self, numbered: NumberedLine, letter: str, number: int) -> bool:
        """Return whether a number such as `B1.2` fits; before a sentence it comes next."""
        last, before = self._lettered or (letter, number)
        if letter == last:
            fits = before <= number <= before + 1
        else:
            fits = ord(letter) == ord(last) + 1 and number <= 1
        titled = numbered.tabbed or numbered.marked or bool(heading(numbered.text))
        if fits := fits or titled:
            self._lettered = (letter, number)
        return fits

    def _comes_next(self, opening: Opening, number: int) -> bool:
        """Return whether a flat number continues: `2A` after `2`, and `4` where no `3` follows."""
        if number == self._chapter:
            return _suffix(opening.numbered) > self._suffix
        if self._chapter in (-1, number - 1):
            return True
        return number > self._chapter and self._last.get(self._chapter + 1, -1) < opening.line


def _suffix(numbered: NumberedLine) -> str:
    return (numbered.bare or "").lstrip("0123456789")


def _without_references(candidates: Sequence[Opening]) -> list[Opening]:
    """Drop lines that begin with `Rule 3.5.8` or the like, unless such words open the text."""
    inner = next((o for o in candidates if len(segments(o.numbered.number)) > 1), None)
    unit = next((o for o in candidates if _REFERENCE.match(o.numbered.number)), None)
    if unit and inner and inner.line < unit.line:
        return [o for o in candidates if not _REFERENCE.match(o.numbered.number)]
    return list(candidates)


def _without_strays(candidates: Sequence[Opening]) -> list[Opening]:
    """Drop numbers without a mark that no other number is near to: `51 Franklin Street`."""
    numbers = Counter(o.numbered.first for o in candidates)

    def stray(one: NumberedLine) -> bool:
        if one.first is None or one.bare is None or one.style or one.tabbed:
            return False
        near = sum(numbers[other] for other in (one.first - 1, one.first, one.first + 1))
        return near == 1 < len(candidates)

    return [o for o in candidates if not stray(o.numbered)]


def _next_chapters(candidates: Sequence[Opening]) -> list[int | None]:
    """Return for each bare number the chapter of the first inner number after it.

    None where the same bare number comes again before that inner number (of a list item `3.`
    and the chapter heading `3.` below it, the heading is meant), or where no inner number comes.
    """
    result: list[int | None] = [None] * len(candidates)
    chapter: int | None = None
    seen: set[int] = set()
    for index in range(len(candidates) - 1, -1, -1):
        numbered = candidates[index].numbered
        if numbered.first is None:
            continue
        if not numbered.bare:
            chapter, seen = numbered.first, set()
        elif numbered.first not in seen:
            result[index] = chapter
            seen.add(numbered.first)
    return result


def _is_division(opening: Opening) -> bool:
    return is_division(opening.numbered.number)


def _is_flat(candidates: Sequence[Opening]) -> bool:
    """Return whether bare integers are all the numbering there is: `1)`, `2)`, `3)`, …"""
    if not candidates or candidates[0].numbered.first is None:
        return False
    bare = len({o.numbered.bare for o in candidates if o.numbered.bare})  # lists begin at 1 again
    inner = sum(
        opening.numbered.bare is None and opening.numbered.first is not None
        for opening in candidates
    )
    return bare > 4 * inner


def _attachment(number: str, current: str) -> str:
    """Return the schedule or appendix that the numbers from here on are in."""
    parts = segments(number)
    if len(parts) != 1:
        return current
    return number.rstrip(".:") if container_kind(parts[0]) == "attachment" else ""


_NUMBER = re.compile(r"(?:#{1,6}\s+)?(?:\*\*)?([A-Z])(?:\d{1,3})?\.(\d{1,3})(?![\w])")
_FEWEST = 2
"""Numbers with a point; one alone may be a reference."""


def counted_letters(lines: Sequence[str], fenced: Collection[int]) -> str:
    """Return the letters from A on that numbers of a text begin with in turn, or "" for none.

    Args:
        lines: of the text.
        fenced: 0-based places of lines inside a fence.
    """
    read = (_NUMBER.match(line.strip()) for at, line in enumerate(lines) if at not in fenced)
    numbers = [found for found in read if found]
    begun = dict.fromkeys(found[1] for found in numbers if int(found[2]) <= 1)
    pairs = takewhile(lambda two: two[0] == two[1], zip(begun, ascii_uppercase, strict=False))
    letters = "".join(letter for letter, _ in pairs)
    return letters if sum(found[1] in letters for found in numbers) >= _FEWEST else ""
