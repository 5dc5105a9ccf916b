"""Running heads, running feet and page numbers: what the margins of many pages repeat."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from indexer.readers.pdf.lines import Line
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
    """Return how high a line is and how large it is, in points."""
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
