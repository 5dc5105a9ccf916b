"""What of a page is not its text: running heads and feet, page numbers, contents, footnotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexer.blocks import Block
from indexer.readers.pdf.lines import Line
from indexer.structuring.outline.headings import is_contents
from search.language import vocabulary
from search.provisions.roman import roman_value

LINES = 5
"""Lines at each end of a page that may be its head or foot."""

ZONE = 0.2
"""Part of the page's height, above and below, within which heads and feet are."""

EDGE = 0.1
"""Part of the height within which a lone number is that of the page, though others have none."""

LEAST_PAGES = 3
"""Pages on which a head is at least; in a document of two, on both."""

DENSITY = 0.4
"""Part of the pages between the first and the last with a head that have it at least: the heads of
left and right pages differ, and first pages of chapters have none."""

SAME_PLACE = 6.0
"""Points by which the heights of one head differ at most."""

APART = 1.8
"""Distance to the next line, in sizes of the font, from which a head stands apart."""

MOST_NUMBERS = 5
"""Numbers of a line of which one may be that of the page."""

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<!\d)\d{1,6}(?!\d)|\b[ivxlc]{1,7}\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—|\[(\s]*(?:#|[ivxlc]+)[-–—|\])\s]*(?:(?:of|/)\s*#)?", re.IGNORECASE
)


def margin_lines(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[set[int]]:
    """Return, for each page, the indexes of the lines that are its head or foot.

    Args:
        pages: the lines of each page.
        heights: how high each page is, in points.
    """
    found: list[set[int]] = [set() for _ in pages]
    for from_above in (True, False):
        for _ in range(LINES):
            outer = [
                _outermost(lines, found[at], heights[at], from_above)
                for at, lines in enumerate(pages)
            ]
            repeated = _repeated(outer, pages)
            if not repeated:
                break
            for at, index in repeated:
                found[at].add(index)
    _add_heads_alike(pages, heights, found)
    for from_above in (True, False):
        _add_page_numbers(pages, heights, found, from_above)
    return found


def _add_heads_alike(
    pages: Sequence[Sequence[Line]], heights: Sequence[float], found: list[set[int]]
) -> None:
    """Add heads that no other page repeats: they are where the repeated ones do, as large.

    They name what the page is about, such as a section that fills but two pages.
    """
    tops = [
        _outermost(lines, set(), height, from_above=True)
        for lines, height in zip(pages, heights, strict=True)
    ]
    looks = [
        _look(lines[top]) if top is not None and _is_apart(lines[top], lines) else None
        for lines, top in zip(pages, tops, strict=True)
    ]
    there = Counter(looks)
    repeated = Counter(
        look for look, top, taken in zip(looks, tops, found, strict=True) if top in taken
    )
    for look, top, taken in zip(looks, tops, found, strict=True):
        usual = there[look] >= DENSITY * len(pages) and repeated[look] >= LEAST_PAGES
        if look is not None and top is not None and usual:
            taken.add(top)


def _look(line: Line) -> tuple[int, int]:
    return round(line.baseline), round(line.size)


def _add_page_numbers(
    pages: Sequence[Sequence[Line]],
    heights: Sequence[float],
    found: list[set[int]],
    from_above: bool,
) -> None:
    """Add page numbers that are elsewhere, or are written otherwise, than those of most pages."""
    numbered = sum(
        any(is_page_number(lines[at].text) for at in taken)
        for lines, taken in zip(pages, found, strict=True)
    )
    zone = ZONE if numbered >= LEAST_PAGES else EDGE
    for at, lines in enumerate(pages):
        if any(is_page_number(lines[index].text) for index in found[at]):
            continue
        index = _outermost(lines, found[at], heights[at], from_above, zone)
        if index is not None and is_page_number(lines[index].text):
            found[at].add(index)


def is_page_number(text: str) -> bool:
    """Return whether a head or foot is nothing but the number of the page."""
    return bool(_PAGE_NUMBER.fullmatch(_DIGITS.sub("#", text.strip())))


def _outermost(
    lines: Sequence[Line],
    taken: set[int],
    height: float,
    from_above: bool,
    zone: float = ZONE,
) -> int | None:
    """Return the index of the outermost line of a page that is not taken yet."""
    left = [index for index in range(len(lines)) if index not in taken]
    if not left:
        return None
    choose = min if from_above else max
    index = choose(left, key=lambda at: lines[at].baseline)
    place = lines[index].baseline / height if height else 0.5
    return index if (place < zone if from_above else place > 1 - zone) else None


def _repeated(
    outer: Sequence[int | None], pages: Sequence[Sequence[Line]]
) -> list[tuple[int, int]]:
    """Return (page, line) of those outermost lines that many pages repeat."""
    places: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for at, index in enumerate(outer):
        if index is not None:
            line = pages[at][index]
            bucket = round(line.baseline / SAME_PLACE)
            apart = _is_apart(line, pages[at])
            apart = apart and not _is_note(line, pages[at])
            for key in _patterns(line.text, at, apart):
                for near in (bucket - 1, bucket, bucket + 1):
                    places[key, near].append((at, index))
    least = min(LEAST_PAGES, max(2, len(pages)))
    found: set[tuple[int, int]] = set()
    for some in places.values():
        spread = some[-1][0] - some[0][0] + 1
        if len(some) >= least and len(some) >= DENSITY * spread:
            found.update(some)
    return sorted(found)


def _is_note(line: Line, lines: Sequence[Line]) -> bool:
    """Return whether a line begins with a mark that another line has, as a footnote does."""
    head = line.text.split(maxsplit=1)[:1]
    return any(mark == one for other in lines for _, mark in other.marks for one in head)


def _is_apart(line: Line, lines: Sequence[Line]) -> bool:
    """Return whether a line is further from the one beside it than lines of a text do."""
    gaps = [abs(line.baseline - other.baseline) for other in lines if other is not line]
    gaps = [gap for gap in gaps if gap > line.size / 2]
    return bool(gaps) and min(gaps) >= APART * line.size


def _patterns(text: str, page: int, apart: bool) -> Iterator[str]:
    """Yield a line as it is, and with each of its numbers as one that counts the pages.

    Where it stands apart and begins or ends with that number, the rest may change: it names what
    the page is about.
    """
    plain = " ".join(text.split())
    yield plain
    for found in list(_NUMBER.finditer(plain))[:MOST_NUMBERS]:
        value = (
            int(found.group()) if found.group().isdigit() else roman_value(found.group().lower())
        )
        if value:
            number = f"#{value - page}"
            yield f"{plain[: found.start()]}{number}{plain[found.end() :]}"
            written = found.group()
            if apart and (plain.startswith(f"{written} ") or plain.endswith(f" {written}")):
                yield f"… {number} …"  # left pages begin with it, and right ones end


NEAR = 6
"""Lines between two entries at most: long entries take several, and pages have heads."""

_RULE = vocabulary.pattern(vocabulary.units_of("rule"))
_LEADS = re.compile(
    r"(?<![….\s])(?=[….\s]*?(?:…|(?:\.\s?){4}))[….\s]+"
    rf"(?:(?:(?:(?i:{_RULE})|§)\s?)?\d{{1,4}}[a-z]{{0,2}}|[ivxlc]{{1,6}})?$"
)
"""Dots before a page, an article or the end of a line; read once, so that no line takes long."""
_PAGE = re.compile(r"\t(?:\d{1,4}|[ivxlc]{1,6})$")


def paged_contents(lines: Sequence[Line]) -> set[int]:
    """Return the indexes of the lines of a document that are a table of contents.

    An entry leads to its page with dots, or, below a heading that says so, ends with a number after
    a wide gap. What is between two entries that are near each other belongs to them.
    """
    led = {index for index, line in enumerate(lines) if _LEADS.search(line.text)}
    entries = sorted(led.union(_below_heading(lines)))
    if len(entries) < 3:
        return set()
    found: set[int] = set()
    for before, index in pairwise(entries):
        if index - before <= NEAR:
            found.update(range(before, index + 1))
    if found:
        first = min(found)
        heading = range(max(0, first - NEAR), first)
        titled = next((i for i in heading if is_contents(Block(lines[i].text))), first)
        found.update(range(titled, first))
    return found


def _below_heading(lines: Sequence[Line]) -> list[int]:
    """Return the entries that follow a heading such as Contents, with leaders or without."""
    found: list[int] = []
    for index, line in enumerate(lines):
        if not is_contents(Block(line.text)):
            continue
        last = index
        for at in range(index + 1, len(lines)):
            if at - last > NEAR:
                break
            if _PAGE.search(lines[at].text) or _LEADS.search(lines[at].text):
                found.append(at)
                last = at
    return found


SMALLER = 0.93
"""Part of the text's font size that footnotes have at most."""

LOWER = 0.4
"""Part of the page's height below which footnotes begin."""

_OPENING = re.compile(r"\(?(\d{1,3}|[*†‡§]{1,3})\)?(?=[\s.)]|$)")


@dataclass(frozen=True, slots=True)
class Footnote:
    """One footnote of a page."""

    mark: str
    """`1`, `*`."""
    lines: tuple[Line, ...]


def split_footnotes(
    lines: Sequence[Line], usual: float, height: float
) -> tuple[list[Line], list[Footnote]]:
    """Return the lines of a page without its footnotes, and the footnotes.

    Args:
        lines: of one page, in reading order, without its foot.
        usual: font size of the text.
        height: of the page, in points.
    """
    small = {
        index
        for index, line in enumerate(lines)
        if line.size <= SMALLER * usual and line.baseline > LOWER * height
    }
    lowest = max((lines[i].baseline for i in range(len(lines)) if i not in small), default=0.0)
    below = [i for i in sorted(small) if lines[i].baseline > lowest]
    first = next((at for at, i in enumerate(below) if _mark(lines[i])), None)
    if first is None:
        return list(lines), []
    notes: list[tuple[str, list[Line]]] = []
    for index in below[first:]:
        mark = _mark(lines[index])
        if mark or not notes:
            notes.append((mark, [lines[index]]))
        else:
            notes[-1][1].append(lines[index])
    taken = set(below[first:])
    kept = [line for index, line in enumerate(lines) if index not in taken]
    return kept, [Footnote(mark, tuple(some)) for mark, some in notes]


def _mark(line: Line) -> str:
    if line.marks and line.marks[0][0] == 0:
        return line.marks[0][1].strip("()")
    found = _OPENING.match(line.text)
    return found[1] if found else ""
