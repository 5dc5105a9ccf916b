"""Words and marks around the numbers of lines: headings, amounts, what a sentence cites."""

from __future__ import annotations

import re

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
_FIRST = (
    rf"(?:{SIGNED}(?![\w.])|{_CONTAINER}\s?{_LABEL}"
    rf"|{_TITLES}|{vocabulary.printed(COUNTED_WORDS)}(?=\.[A-Z])"
    r"|[A-Z]?\d+[A-Z]{0,2}|[A-Z](?=\.))"
)
_WRITTEN = re.compile(rf"{_FIRST}(?:[.(:)][^\t]*)?")
_MARKDOWN = re.compile(r"(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff]")


def markdown_heading(line: str) -> str | None:
    """Return the text of a Markdown heading (`## Scope` gives `Scope`), or None."""
    found = _MARKDOWN.fullmatch(line)
    return found.group(2) if found else None


def heading(text: str) -> str:
    """Return the heading that a text begins with, or an empty text.

    Its first line is one if it is short and does not end as a sentence or a clause does.
    """
    first = text.strip().partition("\n")[0].strip()
    short = len(first.split(None, HEADING_WORDS)) <= HEADING_WORDS
    return first if short and not first.endswith((".", ":", ";", ",")) else ""


def written_number(head: str) -> str:
    """Return what comes before a tab if it is a number written out: `2.1.3`, `APP2.A2.1.1`."""
    number = _INVISIBLE.sub("", head).strip()
    return number if len(number) <= NUMBER_CHARACTERS and _WRITTEN.fullmatch(number) else ""
