r"""Numbered lines: which lines of a plain text open a passage.

A line opens a passage when it begins with a full number (`2.1.3`, `Part 1.Chapter 1.1.(1)`,
`APP2.A2.1.1`, `28)`), followed by a tab or by a space. List lines such as `(a)`, bullets and
unnumbered lines belong to the passage above, and so does a number in the middle of a sentence
that a line break has put in front. Markdown may set a number bold (`**2.1**`), and one with a dot
may be an item of its lists (`- 2.1 Access`). This file looks at one line at a time; whether a
number fits the numbers around it is decided in `indexer.numbering.order_filter`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from search.language import vocabulary
from search.provisions.numbering import COUNTED_WORDS

HEADING_WORDS = 12
"""A heading has at most this many words: true of 97 % of the ADGM rulebooks' (measured)."""

NUMBER_CHARACTERS = 160
"""Longer than any number of the ADGM rulebooks (the longest has 106 characters)."""

SIGNED = r"§\s?\d{1,5}\.\d{1,4}[A-Za-z]{0,2}\d{0,2}(?:-\d{1,4}[A-Za-z]{0,2}){0,2}"
"""A section with its sign and part, as in the American Code of Federal Regulations: § 240.10b-5."""

AMOUNT = re.compile(r"[£$€¥]\s?\d|\d[\d,]*(?:\.\d+)?\s?(?:%|[^\W\d])")
"""What a sentence may begin with: `30 days after …`, `5 % of …`, `£500 is …`."""

_CITABLE = vocabulary.units_of("rule", "inner") - {"item"}
CITED = re.compile(
    rf"(?:\b{vocabulary.pattern(_CITABLE, 'en', short=False)}|[\d)]\s(?:and|or|to))\Z",
    re.IGNORECASE,
)
"""A line that ends so continues a number that it cites."""

_LONGEST_BARE = 3
"""Digits of a bare number before a space: four are a year, as in `2015 Regulations`."""

_RULES = vocabulary.spellings(vocabulary.units_of("rule"), short=False, plural=False)
UNITS = rf"(?:{vocabulary.printed(_RULES)}|(?:Art|ART)\.|§)"
"""Words before the numbers of rules, as a pattern; `Art. 5a` is an article."""

_GROUPS = vocabulary.words_for(vocabulary.units_of("attachment", "division"))
_CONTAINER = rf"(?:{vocabulary.printed([*_GROUPS, 'app'])}|{UNITS})"
_LATIN = "|".join(vocabulary.LATIN_SUFFIXES)
_LABEL = (
    rf"(?:\d+(?:\s?(?:{_LATIN})|[A-Z]{{0,2}}|[a-z])|1er|premier|PREMIER|[IVXLC]+|[A-Z])(?![\w])"
)
_TITLES = "|".join(map(str.upper, vocabulary.words_for(["annex", "app", "section"])))
# `(12)`, `(4a)`, `(iii)`, `(AA)`, `(dA)`, but no word: `5.7. (How) Does it work?`
_BRACKETS = r"(?:\s?\((?:\d{1,4}[A-Za-z]{0,3}|[A-Z]{1,6}|[a-z]{1,6}[A-Z]{0,2})\))"
_FIRST = (
    rf"(?:{SIGNED}(?![\w.])|{_CONTAINER}\s?{_LABEL}"
    rf"|{_TITLES}|{vocabulary.printed(COUNTED_WORDS)}(?=\.[A-Z])"
    r"|[A-Z]?\d+[A-Z]{0,2}|[A-Z](?=\.))"
)
# The letter of `1. A firm` begins the text; those of `7.B.2.` and `7. B.` are of the number.
_LETTERS = r"(?:(?<!\s)(?:[A-Za-z](?!\w)|[IVXLC]+)|[A-Za-z](?=[.(]|$)|[IVXLC]{2,})"
_PLAIN = rf"(?:\d+[A-Z]{{0,2}}|[A-Z]\d+|{_LETTERS}|{_CONTAINER}\s?{_LABEL}:?)\s?"
_IN_NUMBER = rf"(?:{_PLAIN}|{_BRACKETS}|Guidance(?!\w))"
# After a space the text begins, as in `2.1. The firm`, `2. Part 3 applies`, `3. 10 days` and
# `4. Guidance on fees`; but `7. B. 1.`, `2. (a)` and `2.1. Guidance A firm` are one number each.
_AFTER_SPACE = rf"\s(?:\d+(?=\.)|{_LETTERS}\s?|{_BRACKETS}|Guidance(?!\w| [a-z]))"
_SPACED_SEGMENT = rf"\)?\.\.?(?:{_IN_NUMBER}|{_AFTER_SPACE}|[A-Z]\w+)"
# Before a tab a segment may also be a heading of several words: `8.3.2.Guidance on CDD.1.`
_TABBED_SEGMENT = (
    rf"(?:\)?\.\.?(?:\s?{_IN_NUMBER}|[A-Z]\w+)|\.\.?\s?(?:{_BRACKETS}\s)?[A-Z][^\t.]{{2,120}})"
)
_MOST_SEGMENTS = 10
"""After the first one. A segment can be read in several ways: without a bound, each one more of
`A1.A1.A1.A1/` would double the time that the line takes."""
_BEFORE_TAB = re.compile(
    rf"{_FIRST}{_BRACKETS}*(?:{_TABBED_SEGMENT}{_BRACKETS}*){{0,{_MOST_SEGMENTS}}}[.:)]*"
)
_BEFORE_SPACE = re.compile(
    rf"({_FIRST}{_BRACKETS}*(?:{_SPACED_SEGMENT}{_BRACKETS}*){{0,{_MOST_SEGMENTS}}}[.:)]*)(?:\s+|$)"
)
_BARE = re.compile(r"(\d+[A-Z]{0,2}|[A-Z])([.)]?)")
_MARKDOWN = re.compile(r"(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_BULLET = re.compile(r"[-*+]\s+")
_BOLD = re.compile(r"(\*\*|__)(\S.*?)\1")
_EMPHASIS = re.compile(r"^(\*{1,3}|_{1,3})(?=[^\s*_])(.*?\S)\1(?!\w)")
"""Bold or italic words of Markdown; in `1.2 * 3` a star multiplies, and one alone marks a note."""
# A German reference continues so: `§ 5 Absatz 2`.
_WITHIN_UNIT = re.compile(
    rf"(?i:{vocabulary.pattern(vocabulary.units_of('inner', 'text'), 'de')}|Nr)\b"
)
_INNER = re.compile(r"\d+\.\d+\.\d")
_NAME_WORDS = 3
"""Words of a title that begins with a small letter: a name (`8.1.1. dpkg`), and no sentence."""
_GOING_ON = re.compile(
    r"(?:above|and|applies|apply|are|as|below|but|do|does|for|has|have|if|in|is|may|must|of|or"
    r"|shall|that|to|when|where|which|will|with)\b"
)
"""What a sentence continues with after a number that it cites."""
_CITATION_END = re.compile(r"^[^(]*\d\.\d[^(]*\)[.:]$|\d\.\.\d")
"""How what a sentence cites ends (`see 7.5).`), and what no number has: `127..159`."""
_DASH = re.compile(r"^[–—-]\s+")
_LETTER_FIRST = re.compile(r"[B-Z]\d")
_LETTERED = re.compile(r"([A-Z])\.?(\d{1,3})(?!\d)")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff]")


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line that may open a passage."""

    number: str
    text: str
    """What follows the number on the line."""
    tabbed: bool
    """Whether a tab parts them: then the author meant it as a number."""
    bold: bool = False
    """Whether Markdown sets the number bold."""
    marked: bool = False
    """Whether Markdown sets the line as a heading."""

    @property
    def bare(self) -> str | None:
        """The label of a number of one plain segment (`"28"` of `28)`, `"A"` of `A.`), or None."""
        found = _BARE.fullmatch(self.number)
        return found.group(1) if found else None

    @property
    def style(self) -> str:
        """The mark after a bare number: `"."`, `")"` or nothing."""
        found = _BARE.fullmatch(self.number)
        return found.group(2) if found else ""

    @property
    def lettered(self) -> tuple[str, int] | None:
        """The letter and the integer of a number that begins with both (`B1.2`, `B.1`), or None."""
        found = _LETTERED.match(self.number)
        return (found[1], int(found[2])) if found else None

    @property
    def first(self) -> int | None:
        """The leading integer of a number that begins with one, or None."""
        found = re.match(r"\d+", self.number)
        return int(found.group()) if found else None


@lru_cache(maxsize=32_768)  # lines of a document, which several steps look at one after the other
def parse_line(line: str, letters: str = "") -> NumberedLine | None:
    """Return the number and the text of a line that may open a passage, or None.

    Args:
        line: of a text.
        letters: that its numbers begin with (`A1`, `B1.2`), as `indexer.numbering.order_filter`
        finds.
    """
    markdown = _MARKDOWN.fullmatch(line)
    if markdown:
        line = markdown.group(2)
    visible = line.strip(" \r\n")
    bullet = _BULLET.match(visible)
    marked = visible[bullet.end() :] if bullet else visible
    bold = _BOLD.match(marked)
    numbered = _read(
        bold.group(2) + marked[bold.end() :] if bold else marked,
        trusted=markdown is not None,
        letters=letters,
    )
    if numbered is None or (bullet and (numbered.bare or numbered.first is None)):
        return None
    is_heading = markdown is not None
    return replace(numbered, bold=bold is not None and not is_heading, marked=is_heading)


def markdown_heading(line: str) -> str | None:
    """Return the text of a Markdown heading (`## Scope` gives `Scope`), or None."""
    found = _MARKDOWN.fullmatch(line)
    return found.group(2) if found else None


def is_cited(above: str) -> bool:
    """Return whether the number of a line is what the line above cites: `as required by section`.

    The title of a chapter or a schedule may end so too, and cites nothing: `Transitional rules`.
    """
    if not CITED.search(above.rstrip()) or markdown_heading(above) is not None:
        return False
    found = parse_line(above)
    return found is None or found.first is not None


def heading(text: str) -> str:
    """Return the heading that a text begins with, or an empty text.

    Its first line is one if it is short and does not end as a sentence or a clause does.
    """
    first = text.strip().partition("\n")[0].strip()
    short = len(first.split(None, HEADING_WORDS)) <= HEADING_WORDS
    return first if short and not first.endswith((".", ":", ";", ",")) else ""


def _read(visible: str, trusted: bool, letters: str) -> NumberedLine | None:
    """Read a line without the marks of Markdown."""
    head, tab, rest = visible.partition("\t")
    if tab:
        number = _INVISIBLE.sub("", head).strip()
        if len(number) <= NUMBER_CHARACTERS and _BEFORE_TAB.fullmatch(number):
            numbered = NumberedLine(number, rest.strip(), tabbed=True)
            return numbered if _may_begin(number, letters) else None
    return _spaced(_INVISIBLE.sub("", visible), trusted, letters)


def _may_begin(number: str, letters: str) -> bool:
    """Return whether a number begins with no letter, or with one that counts: no `T1`, but `A1`."""
    return not _LETTER_FIRST.match(number) or number[0] in letters


def _spaced(line: str, trusted: bool, letters: str) -> NumberedLine | None:
    """Read `NUMBER text`; unless trusted, refuse what could be the middle of a sentence."""
    found = _BEFORE_SPACE.match(line)
    if not found or len(found.group(1)) > NUMBER_CHARACTERS:
        return None
    number = found.group(1).rstrip(":").replace("\xa0", " ")
    numbered = NumberedLine(number, line[found.end() :].strip(), tabbed=False)
    if not _may_begin(number, letters):
        return None
    if trusted or _opens_passage(numbered, letters):
        return replace(numbered, text=_DASH.sub("", numbered.text, count=1))
    return None


def _opens_passage(numbered: NumberedLine, letters: str) -> bool:
    text = _EMPHASIS.sub(r"\2", numbered.text)
    if _CITATION_END.search(numbered.number) or len(numbered.bare or "") > _LONGEST_BARE:
        return False
    if not text:
        return numbered.bare is None
    amount = AMOUNT.match(text) and (numbered.number[-1] in ".)" or not text[0].isdigit())
    named = _INNER.match(numbered.number) and _is_name(text)
    if not (amount or named or text[0].isupper() or text[0] in "\"'“‘([–—-/`"):
        return False
    if numbered.number[0] == "§" or numbered.number[-1] == ".":  # `Article 1. Scope.`
        text = text.removesuffix(".")
    if numbered.lettered and numbered.number[0] in letters:
        return True
    if not numbered.number[0].isdigit() or (numbered.bare and not numbered.style):
        return bool(heading(text)) and not _WITHIN_UNIT.match(text)
    return True


def _is_name(text: str) -> bool:
    short = heading(text) and len(text.split()) <= _NAME_WORDS
    return bool(short) and not _GOING_ON.match(text)
