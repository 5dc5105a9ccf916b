"""The numbers of rulebook pages: headings, paragraphs and items of lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from indexer.structuring.labels.eu_numbers import (
    annex_number,
    article_number,
    division_number,
    is_label,
)
from indexer.structuring.labels.labels import parse_label
from indexer.structuring.labels.line_labels import SIGNED
from indexer.structuring.labels.order import LATIN
from search.language import vocabulary
from search.provisions.roman import roman_numeral
from search.text.characters import compatible

Shape = Literal["division", "annex", "whole", "integer", "item"]
"""`Part 2`; `Schedule 1`; `3.5.8` and `Article 5`, which say all; `3.`; `(a)`, `a)` and `iv.`."""

_WHOLE = re.compile(
    r"((?:[A-Z]{2,6}[ \u00a0])?[A-Z]?\d{1,3}[A-Z]{0,2}(?:\.\d{1,3}[A-Z]{0,2}){1,6})\.?(?=\s|$)"
)
_OWN = vocabulary.printed(vocabulary.words_for(["rule", "regulation", "clause"]))
_SECTION = "|".join(vocabulary.words_for(["section"]))
_RULE = re.compile(
    rf"({SIGNED}(?![\w-])"
    rf"|(?:(?:{_OWN}\s+|§\s*)\d\w*(?:\.\w+)*|(?i:{_SECTION})\s+\d\w*(?:\.\w+)+)"
    r"(?:\(\w{1,5}\))*)(?=[\s:.–—-]|$)"
)
_LATIN = re.compile(rf"[\s-]?(?:{'|'.join(LATIN)})(?!\w)", re.IGNORECASE)
_INTEGER = re.compile(r"(\d{1,3}[A-Z]{0,2})[.)](?=\s|$)")
_BARE_INTEGER = re.compile(rf"(\d{{1,3}}(?:[A-Z]{{0,2}}|{'|'.join(LATIN)}))\s+(?=\S)")
_ITEM = re.compile(
    r"(\((?:\d{1,3}[A-Za-z]{0,2}|[a-z]{1,5}|[a-z]\.\d{1,2}|[A-Z]{1,4})\)"
    r"|[a-zA-Z][.)]|[ivx]{2,5}[.)])(?=\s)"
    r"|(\((?:\d{1,2}|[a-z]|[ivxl]{2,6})\))(?=[^\W\d_])"
)
"""The last form has lost the blank before its text: `(ii)a matter`."""
_PARAGRAPH = re.compile(
    r"(?:\((\d{1,3}(?:\.\d{1,2}){0,2}[a-zA-Z]{0,3})\)|(\d{1,3}[a-z]{0,3})[.)])(?=\s|$)"
)
_WITHIN = re.compile(
    r"(?:(?<=[.;:\]”\"—–-])|(?<=[.;:\]”\"—–-] ))\((\d{1,2})\)\s+(?=[^\W\d_a-zà-ÿ]|[“\"])"
)
"""A paragraph that begins a sentence within a line."""
_TEXT = re.compile(r"[A-Z0-9\"'“‘(\[–—£$€¥]|$")


@dataclass(frozen=True, slots=True)
class Number:
    """The number that a line begins with."""

    shape: Shape
    number: str
    """`Part 2`, `3.5.8`, `3`, `(a)`."""
    label: str
    """As the page shows it."""
    text: str
    """What follows it."""


def heading_text(text: str) -> str:
    """Return the words of a heading without the dash, colon or dot before them."""
    return text.lstrip("–—-:. ").strip()


def heading_number(text: str) -> Number | None:
    """Return the number of a heading: any sort, and `3 Conduct` too; None without one."""
    found = _heading_number(text)
    if found is None:
        return None
    latin = _LATIN.match(found.text)
    if latin is None:
        return replace(found, text=heading_text(found.text))
    inserted = latin.group() if latin.group()[0] == "-" else f" {latin.group().strip()}"
    return replace(
        found,
        number=f"{found.number}{inserted}",
        label=f"{found.label}{inserted}",
        text=heading_text(found.text[latin.end() :]),
    )


def _heading_number(text: str) -> Number | None:
    if rule := _RULE.match(text):
        return Number("whole", " ".join(rule[1].split()), rule[1], text[rule.end() :])
    if found := annex_number(text, ""):
        return Number("annex", found[0], found[0], found[1])
    if division := division_number(text):
        return Number("division", division[0], division[0], division[2])
    if article := article_number(text):
        return Number("whole", article[0], article[0], article[1])
    line, bare = line_number(text, heading=True), _BARE_INTEGER.match(text)
    if line or bare is None:
        return line
    return Number("integer", bare.group(1), bare.group(1), text[bare.end() :])


def line_number(text: str, heading: bool = False) -> Number | None:
    """Return the number that a paragraph begins with, or None.

    In a paragraph a number counts only where a sentence begins after it: `1.5 times the amount`
    has none. A reference at the beginning of a sentence, such as `Rule 3.5.8 applies`, has none
    either, but a heading may be one.
    """
    shapes: tuple[tuple[Shape, re.Pattern[str]], ...] = (
        ("whole", _WHOLE), ("integer", _INTEGER), ("item", _ITEM),
    )  # fmt: skip
    for shape, pattern in shapes:
        found = pattern.match(text)
        if found is None:
            continue
        rest = text[found.end() :].strip()
        if heading or shape == "item" or _TEXT.match(rest):
            label = found.group().strip()
            return Number(shape, _plain(shape, found[found.lastindex or 0]), label, rest)
    return None


def titles_attachment(text: str) -> bool:
    """Return whether a paragraph is the title of a schedule or an annex: `Schedule 1 Fees`."""
    found = parse_label(text)
    attached = found is not None and found[0].shape == "division" and found[0].attached
    return attached and annex_number(text, "") is not None


def paragraph_number(text: str, before: int) -> Number | None:
    """Return the number of a paragraph or point below a unit: `(1)`, `1.`, `1a)`, `(3.1)`, `1 X`.

    Args:
        text: the line.
        before: the paragraph before; a number without a mark must be the next, or the second of
            a unit whose first has none.
    """
    if found := _PARAGRAPH.match(text):
        label = found.group().strip()
        return Number("item", f"({found[1] or found[2]})", label, text[found.end() :].strip())
    bare = _BARE_INTEGER.match(text)
    if bare is None or text[bare.end()].islower() or text[bare.end()].isdigit():
        return None
    number = compatible(bare[1])
    inserted = number.removeprefix(str(before)) in LATIN
    if number != str(before + 1) and not inserted and (before or number != "2"):
        return None
    return Number("item", f"({number})", bare[1], text[bare.end() :])


def paragraphs_within(text: str, before: int) -> list[str]:
    """Return a line cut before each paragraph that comes next: `Scope.—(1) It holds. (2) It …`.

    Args:
        text: the line.
        before: the paragraph before it.
    """
    found = _PARAGRAPH.match(text)
    last = int(found[1] or 0) if found and (found[1] or "0").isdigit() else before
    cuts: list[int] = []
    for one in _WITHIN.finditer(text):
        if one.start() and int(one[1]) == last + 1:
            last += 1
            cuts.append(one.start())
    return [text[a:b].strip() for a, b in pairwise([0, *cuts, len(text)])]


def label_alone(label: str) -> Number | None:
    """Return the number that all of a text is, or None."""
    found = line_number(f"{label} X") or line_number(f"{label}. X")
    return replace(found, label=label, text="") if found else None


def list_label(kind: str, place: int) -> str:
    """Return the label of an item of an ordered list.

    Args:
        kind: the list's `type`: `1`, `a`, `A`, `i` or `I`.
        place: the item's 1-based place.
    """
    if kind in {"a", "A"}:
        letters = ""
        while place > 0:
            place, rest = divmod(place - 1, 26)
            letters = chr(ord("a") + rest) + letters
        return f"({letters.upper() if kind == 'A' else letters})"
    if kind in {"i", "I"}:
        roman = roman_numeral(place)
        return f"({roman.upper() if kind == 'I' else roman})"
    return f"{place}."


def _plain(shape: Shape, label: str) -> str:
    label = " ".join(label.split())
    return f"({label.strip('().')})" if shape == "item" else label


def is_number(text: str) -> bool:
    """Return whether a text is nothing but a number or a label."""
    return is_label(text) or (line_number(f"{text} X") is not None and " " not in text)
