"""Lines of plain text and Markdown without marks, running heads and breaks at a border."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexer.blocks import RUNNING_HEAD, LeftOut
from indexer.structuring.labels.labels import line_label
from indexer.structuring.labels.line_labels import markdown_heading
from indexer.structuring.labels.units import unit_line

PAGE_MARK, PICTURE, ADDRESS = "mark of a page", "picture", "address of a link"
"""Reasons for which words of a converted text are in no passage."""

_PAGE_MARKS = re.compile(
    r"\{\d+\}-{5,}|<!--.*?-->|-{2,} ?(?:page|p\.) ?\d+ ?-{2,}"
    r"|(?:page|seite|p\.) \d{1,4}(?: ?(?:of|von|de|/) ?\d{1,4})?(?:[-–—].{1,60})?",
    re.IGNORECASE,
)
_RULERS = re.compile(r"(?:[-*_=~] ?){3,}|\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*|-{3,}\|[-|]*")
_SHOWN, _ADDRESS = 2_000, 3_000
"""Characters that a mark encloses at most: without a bound each mark would be looked for to the
end of its line.
"""
_PICTURE = re.compile(
    rf"!\[[^\]]{{0,{_SHOWN}}}\]\([^)\s]{{0,{_ADDRESS}}}(?:\s+\"[^\"]{{0,{_ADDRESS}}}\")?\)"
)
_LINK = re.compile(
    rf"\[((?:[^\[\]]|\[[^\[\]]{{0,{_SHOWN}}}\]){{0,{_SHOWN}}})\]"
    rf"\(([^()\s]{{0,{_ADDRESS}}})(?:\s+\"[^\"]{{0,{_ADDRESS}}}\")?\)"
)
_AUTOLINK = re.compile(r"<(https?://[^>\s]+)>")
_BREAK = re.compile(r"</?(?:br|center|div|li|ol|p|td|th|tr|ul)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|abbr|b|em|font|i|ins|small|span|strong|sub|sup|u)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_RAISED = re.compile(r"</sup>(?=[^\W\d_])", re.IGNORECASE)
"""The end of a mark before a word: `<sup>23</sup>Unless`."""
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>|~§$&<])")
_QUOTE = re.compile(r"^\s*(?:> ?)+")
_BULLET = re.compile(r"[-*+•▪]\s+")
_EMPHASIS = re.compile(
    rf"(?<![\w*])(\*{{1,3}})(?=[^\s*])(.{{1,{_SHOWN}}}?)(?<=[^\s*])\1(?![\w*])"
    rf"|(?<!\w)(_{{1,3}})(?=[^\s_])(.{{1,{_SHOWN}}}?)(?<=[^\s_])\3(?!\w)"
)
_BOLD_NUMBER = re.compile(r"(?:\*\*|__)\W{0,2}[A-Z]{0,4}-?\d")
_ROW = re.compile(r"^\|?(?P<label>[^|]{1,12}?) *\| {1,4}(?P<text>[^|]+?)\s*\|?$")
_LABEL = re.compile(r"\(?[0-9A-Za-z]{1,5}[.)]|[—–•-]")
_BLANKS = re.compile(r"\s{2,}|[^\S ]")
"""What a blank or tab is put for; to split a line of 30 MiB into words takes half a gigabyte."""
_SOFT_HYPHEN = "\u00ad"
_NESTED = 6
"""Times that emphasis may be within emphasis or a link within a link."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line as a person sees it."""

    text: str
    rank: int = 0
    """Of a heading, 1 for the outermost."""
    marked: bool = False
    """Whether its number is bold."""
    bullet: bool = False
    indent: int = 0
    cells: tuple[str, ...] = ()
    """Of a row of a table."""
    ruler: bool = False


def without_marks(line: str, place: int, left_out: list[LeftOut]) -> TextLine:
    """Return a line without marks; an empty text is all that is left of a page mark or a ruler.

    Args:
        line: of the text.
        place: its 1-based number.
        left_out: takes the words that no passage will hold.
    """
    unquoted = _QUOTE.sub("", line, count=1)
    visible = unquoted.lstrip().rstrip(" \r")
    if not visible or _RULERS.fullmatch(visible):
        return TextLine("", ruler=bool(visible))
    if _PAGE_MARKS.fullmatch(visible):
        left_out.append(LeftOut(visible, PAGE_MARK, place))
        return TextLine("")
    if cells := _cells(visible):
        return TextLine(visible, cells=tuple(_plain(one, place, left_out) for one in cells))
    expanded = unquoted.expandtabs()
    indent = len(expanded) - len(expanded.lstrip())
    rank, marked = 0, False
    if (title := markdown_heading(visible)) is not None:
        rank = len(visible) - len(visible.lstrip("#"))
        visible = title
    bullet = _BULLET.match(visible) if not rank else None
    visible = visible[bullet.end() :] if bullet and bullet.group().isascii() else visible
    marked = _BOLD_NUMBER.match(visible) is not None
    if (row := _ROW.match(visible)) and _LABEL.fullmatch(row["label"].strip()):
        visible = f"{row['label'].strip()} {row['text']}"
    text = _plain(visible, place, left_out)
    return TextLine(text, rank, marked or bool(rank), bullet is not None, indent)


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a table; none for the label of an item and its text."""
    if line[0] != "|" or line[-1] != "|" or len(line) < len("| a |"):
        return []
    cells = re.split(r"(?<!\\)\|", line[1:-1])
    labelled = len(cells) == len(("label", "text")) and _LABEL.fullmatch(cells[0].strip())
    return [] if labelled else cells


def _plain(text: str, place: int, left_out: list[LeftOut]) -> str:
    text = text.replace(f"{_SOFT_HYPHEN} ", "").replace(_SOFT_HYPHEN, "")

    def left(reason: str, words: str) -> None:
        if any(map(str.isalnum, words)):
            left_out.append(LeftOut(words, reason, place))

    def picture(found: re.Match[str]) -> str:
        left(PICTURE, found.group())
        return " "

    def link(found: re.Match[str]) -> str:
        left(ADDRESS, found[2])
        return found[1]

    text = _PICTURE.sub(picture, text)
    for _ in range(_NESTED):
        text, count = _LINK.subn(link, text)
        if not count:
            break
    text = _BREAK.sub(" ", _RAISED.sub(" ", text))
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    for _ in range(_NESTED):
        text, count = _EMPHASIS.subn(lambda m: m[2] or m[4], text)
        if not count:
            break
    return _BLANKS.sub(_blank, _ESCAPED.sub(r"\1", text)).strip(" ")


def _blank(found: re.Match[str]) -> str:
    return "\t" if "\t" in found.group() else " "


_PAGES = 4
"""Times that a line comes again at least if it is set on every page, and lines with text around a
number of a page among which a running head is."""
_HEAD_WORDS = 9
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–—| ]*(?:[A-Z]{1,2} |(?i:page|seite) )?0(?:(?: ?/ ?| of )0)?[-–—| ]*")


def running_heads(
    texts: Sequence[str], left_out: list[LeftOut], place_of: Callable[[int], int]
) -> frozenset[int]:
    """Return the places of short lines that are set on page after page, and note them.

    Such a line comes again with other digits (`L 176/12`, `- 7 -`); what comes again beside it as
    often (`Official Journal of the European Union`) is of the same head.

    Args:
        texts: of the lines.
        left_out: takes the heads.
        place_of: returns the 1-based line of the file of a 0-based place.
    """
    filled = [at for at, text in enumerate(texts) if text]
    shapes = {at: _DIGITS.sub("0", texts[at]) for at in filled if _may_be_head(texts[at])}
    pages: dict[str, list[int]] = {}
    for at, shape in shapes.items():
        if _PAGE_NUMBER.fullmatch(shape):
            pages.setdefault(shape, []).append(int(_DIGITS.findall(texts[at])[-1]))
    paged = {shape for shape, numbers in pages.items() if _are_pages(numbers)}
    near = {
        filled[index + step]
        for index, at in enumerate(filled)
        if shapes.get(at) in paged
        for step in range(-_PAGES, _PAGES + 1)
        if 0 <= index + step < len(filled)
    }
    beside = Counter(texts[at] for at in near if at in shapes and not unit_line(texts[at]))
    said = Counter(texts[at] for at in shapes)
    heads = {
        text for text, count in beside.items() if count >= _PAGES and 3 * count >= 2 * said[text]
    }
    found = frozenset(at for at, shape in shapes.items() if shape in paged or texts[at] in heads)
    left_out.extend(LeftOut(texts[at], RUNNING_HEAD, place_of(at)) for at in sorted(found))
    return found


def _may_be_head(text: str) -> bool:
    return len(text.split()) <= _HEAD_WORDS and text[-1] not in ".;:,)" and not text[0].islower()


def _are_pages(values: Sequence[int]) -> bool:
    """Return whether numbers rise through a text by one or two, as those of pages do."""
    steps = [other - one for one, other in pairwise(values)]
    return len(values) >= _PAGES and sum(step in {1, 2} for step in steps) >= 0.8 * len(steps)


_USUAL, _RAGGED, _FULL = 0.9, 12, 0.2
"""In a text whose lines were broken nine in ten keep to a border (rows of tables need not), and one
in five ends at most so many characters before it."""
_NARROWEST = 50
"""Characters: lines of fewer are short for other reasons."""


def wrapped_at(lines: Sequence[str]) -> int | None:
    """Return the width at which the lines of a text were broken, or None where paragraphs are."""
    lengths = sorted(_width(line) for line in lines if line.strip())
    width = lengths[int(len(lengths) * _USUAL)] if lengths else 0
    if width < _NARROWEST:
        return None
    full = sum(width - _RAGGED <= length <= width for length in lengths)
    return width if full >= _FULL * len(lengths) else None


def has_no_room(above: str, line: str, width: int) -> bool:
    """Return whether the first word of a line had no room at the end of the line above it."""
    first = line.strip().expandtabs(1).partition(" ")[0]  # no line is broken at a hard space
    return _width(above) + 1 + len(first) > width


def _width(line: str) -> int:
    return len(line.expandtabs().rstrip())


_UNDERLINE = re.compile(r"={3,}|-{3,}")


def with_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which such a heading begins with `#`, and what underlines it is empty.

    Nothing is right above the heading. What is right below the underline has a number, or
    the heading has one and is as long as the underline: else it is the head of a table.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found = list(lines)
    for at, line in enumerate(lines[1:], 1):
        under, title = line.strip(), lines[at - 1].strip()
        if at in fenced or not _UNDERLINE.fullmatch(under):
            continue
        if not title or markdown_heading(title) is not None or (at > 1 and lines[at - 2].strip()):
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        as_long = abs(len(under) - len(title)) <= 1
        if not below.strip() or line_label(below) or (as_long and line_label(title)):
            found[at - 1] = f"{'#' if under[0] == '=' else '##'} {title}"
            found[at] = ""
    return found
