"""Tables of contents that are typed like the text: numbered lines that all come again in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from indexer.structuring.labels.labels import line_label

FEWEST = 3
"""Lines of a table of contents at least, its heading among them."""

TITLE = r"(?:table of )?contents"
"""What is above a table of contents, in lower case."""

_HEADING = re.compile(rf"\W*{TITLE}\W*", re.IGNORECASE)
_BULLET = re.compile(r"\s*[-*+•]\s+(?=\d)")
_WORD = re.compile(r"[A-Za-z]+\s(?=\d)")
"""Before the number of a chapter; its entry may leave it out."""
_INTEGER = re.compile(r"\d+(?=\.?(?: |$))")
_STOPS = " ,;:"
_LETTERS = re.compile(r"\w+")
"""What is compared of a title: dashes, quotes and broken words are set as they come."""
_PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,6}")
_LEADER = re.compile(r"…|\t|[.·_\s]{2}")
"""What comes before a page: dots, a tab, or blanks."""
_WRAPPED = 4
"""Lines that a long title continues for, at most."""
_AGAIN = 0.9
"""Share of the lines that come again; a typing error in one is none in the others."""
_BETWEEN = 2
"""Lines between two parts of a table (`Appendices`, and what underlines it), at most."""

_LONGEST = 500
"""Characters of a line that are compared: titles are shorter, and a line may be a whole file."""

_Key = tuple[str, str]
"""Number and title."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A numbered line, and those that its title may continue in."""

    keys: tuple[_Key, ...]
    """With none of these lines, with one of them, and so on."""
    lines: range
    """0-based, all of them."""


def contents_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the 0-based lines of the tables of contents of a text, their headings among them.

    One is a run of numbered lines with nothing but blank lines between them, if they come again
    below the run with the same titles. It is what the numbered lines of the text begin with, or
    continues with such a table, or a heading says that it is one.
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    place_of = {at: place for place, at in enumerate(filled)}
    entries = _entries(lines, filled)
    last = {key: entry.lines.start for entry in entries for key in entry.keys}
    found: set[int] = set()
    reached = -1
    for run in _runs(entries, place_of):
        some = _coming_again(run, last) or _announced(run, lines, filled, place_of, entries)
        if not some:
            continue
        first, end = place_of[some[0].lines.start], some[-1].lines.stop
        above = [at for at in filled[max(first - 1, 0) : first] if _HEADING.fullmatch(lines[at])]
        begins = some[0].lines.start == entries[0].lines.start or (
            reached >= 0 and first - reached <= _BETWEEN + 1
        )
        if (above or begins) and len(some) + len(above) >= FEWEST:
            found |= {at for entry in some for at in entry.lines} | set(above)
            reached = place_of[end - 1]
    return frozenset(found)


def _announced(
    run: Sequence[_Entry],
    lines: Sequence[str],
    filled: Sequence[int],
    place_of: Mapping[int, int],
    entries: Sequence[_Entry],
) -> Sequence[_Entry]:
    """Return a run below the heading of a table of contents, if all its integers come again.

    Its titles may be short forms, or the numbers beside them those of another edition.
    """
    first = place_of[run[0].lines.start]
    if first == 0 or not _HEADING.fullmatch(lines[filled[first - 1]]):
        return ()
    mine: list[str] = []
    for entry in run:
        number = _leading(entry)
        if number is None or number in mine:
            break
        mine.append(number)
    later = [_leading(one) for one in entries if one.lines.start > run[0].lines.start]
    again = [number for number in later[max(len(mine) - 1, 0) :] if number in mine]
    return run[: len(mine)] if again[: len(mine)] == mine else ()


def _leading(entry: _Entry) -> str | None:
    found = _INTEGER.match(entry.keys[0][0])
    return found[0] if found else None


def _coming_again(run: Sequence[_Entry], last: Mapping[_Key, int]) -> Sequence[_Entry]:
    """Return a run up to the last entry that comes again below, if nearly all before it do."""
    some = [_ended(entry, last, run[-1].lines.stop) for entry in run]
    while some and last[some[-1].keys[-1]] < run[-1].lines.stop:
        some.pop()
    again = sum(last[entry.keys[-1]] >= run[-1].lines.stop for entry in some)
    return some if again >= _AGAIN * len(some) else ()


def _ended(entry: _Entry, last: Mapping[_Key, int], end: int) -> _Entry:
    """Return an entry without the lines of text right below its title, told by what comes again."""
    for count in range(len(entry.keys), 0, -1):
        if last[entry.keys[count - 1]] >= end:
            start = entry.lines.start
            return _Entry(entry.keys[:count], range(start, start + count))
    return entry


def _entries(lines: Sequence[str], filled: Sequence[int]) -> list[_Entry]:
    """Return all numbered lines, each with the lines right below it that have no number."""
    keys = {at: key for at in filled if (key := _key(lines[at]))}
    return [_entry(lines, at, keys) for at in keys]


def _entry(lines: Sequence[str], at: int, keys: Mapping[int, _Key]) -> _Entry:
    stop = at + 1
    while stop < len(lines) and stop not in keys and _is_more(lines[stop]):
        stop += 1
        if stop > at + 1 + _WRAPPED:  # a text, no title
            return _Entry((keys[at], *_longer(lines, range(at, stop - 1))), range(at, at + 1))
    return _Entry((keys[at], *_longer(lines, range(at, stop))), range(at, stop))


def _is_more(line: str) -> bool:
    """Return whether a title may continue in a line without a number."""
    return bool(line.strip()) and not _HEADING.fullmatch(line)


def _longer(lines: Sequence[str], some: range) -> Iterator[_Key]:
    """Yield what an entry says that continues to the second of some lines, the third, and so on."""
    for count in range(2, len(some) + 1):
        if key := _key(" ".join(lines[at].strip() for at in some[:count])):
            yield key


def _runs(entries: Sequence[_Entry], place_of: Mapping[int, int]) -> Iterator[list[_Entry]]:
    run: list[_Entry] = []
    seen: set[_Key] = set()
    for entry in entries:
        apart = run and place_of[entry.lines.start] != place_of[run[-1].lines.stop - 1] + 1
        if run and (apart or not seen.isdisjoint(entry.keys)):
            yield run
            run, seen = [], set()
        run.append(entry)
        seen.update(entry.keys)
    if run:
        yield run


def _key(line: str) -> _Key | None:
    entry = _without_page(_BULLET.sub("", line)).strip()[:_LONGEST]
    found = line_label(f"# {entry.rstrip(_STOPS)}")
    if found is None or not found[1]:
        return None
    return _WORD.sub("", found[0].rstrip(".:")), "".join(_LETTERS.findall(found[1].casefold()))


def _without_page(line: str) -> str:
    line = line.rstrip()
    entry = line.rstrip("0123456789ivxlc")
    title = entry.rstrip(".·…_ \t")
    paged = _PAGE.fullmatch(line[len(entry) :]) and _LEADER.search(entry[len(title) :])
    return title if paged else line
