"""What a passage is under: the title of its document and the headings above it.

"It shall notify the supervisor within four hours" says neither who nor of what; the headings do.
Both retrievers read the context before the text. Numbers stay out of it: the passages of one
chapter would all be alike in them.
"""

from __future__ import annotations

import re
from functools import cache

from search.language import vocabulary
from search.records import Passage
from search.text.characters import LETTERS
from search.text.plain_words import plain_text

HEADINGS = 2
"""Headings of a context, the nearest ones: with all of them BM25 and the encoder find as much, and
the encoder, which reads a limited text, less of the passage."""

LONGEST = 120
"""Characters of a title or heading that are read: a longer heading is a sentence that a reader took
for one."""

SEPARATOR = " > "

_VERSION = re.compile(
    rf"[_ ]*\(?(?:\b|_)VER ?\d.*$|[_ ]*\([^()]*{vocabulary.any_of('months', 'en')} \d{{4}}\).*$",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\*\*|__|^#+\s|\xad")


def context_of(passage: Passage) -> str:
    """Return title and nearest headings, outermost first, without numbers.

    Empty where there is neither, or the passage has no text.

    The title of a document that has none of its own (`Document 7`) and a heading that repeats what
    is there already say nothing.
    """
    if not passage.text.strip():
        return ""
    title = plain_title(passage)
    headings = [words for words in map(heading_words, passage.breadcrumb) if words]
    parts = dict.fromkeys(filter(None, (title, *headings[-HEADINGS:])))
    text = passage.text.strip().casefold()
    return SEPARATOR.join(part for part in parts if part.casefold() != text)


def in_context(passage: Passage, context: str) -> str:
    """Return what a retriever reads of a passage; empty where it has no text of its own."""
    text = passage.text if passage.text.strip() else ""
    return plain_text(f"{context}\n{text}" if text and context else text)


def plain_title(passage: Passage) -> str:
    """Return the title of a passage's document without its version, such as `_VER15.150823`."""
    title = passage.document_title
    if title == f"Document {passage.document_id}":
        return ""
    plain = " ".join(_VERSION.sub("", title).replace("_", " ").split())
    return _cut(plain)


def heading_words(label: str) -> str:
    """Return the words of a breadcrumb's label without the number before them."""
    bare = _MARKS.sub("", label)
    words = _numbers().sub("", bare).strip(" .:–—-#*")
    return _cut(words)


def _cut(words: str) -> str:
    if not any(len(one) > 1 for one in LETTERS.findall(words)):
        return ""
    return words if len(words) <= LONGEST else words[:LONGEST].rsplit(" ", 1)[0]


@cache
def _numbers() -> re.Pattern[str]:
    """Match the numbers that begin a label: `Part 2.Chapter 1`, `§ 9`, `4.2(b)`, `Article 5`."""
    units = vocabulary.pattern(
        vocabulary.units_of("attachment", "division", "rule", "aside", "inner")
    )
    spelt = "|".join(map(re.escape, vocabulary.number_words()))
    counted = "|".join(map(re.escape, vocabulary.ordinals()))
    one = (
        rf"{units}(?:[\s.:]+(?:\d[\w()-]*|[IVXLC]+\b|[A-Z]\b|(?:{spelt})\b)|\d[\w()-]*|\s*\Z)"
        rf"|(?:{counted})\s{units}(?=[\s.:])"
        r"|§+\s*\d+\w*|\(?\d[\w()/-]*|\([A-Z0-9]{1,5}\)|[IVXLC]+(?=\.|\s*\Z)|[A-Z](?=[.)])"
        r"|Guidance(?:\.?\d+)?(?=\.|\s*\Z)|\w*\d[\w.()-]*(?=[\s.])"
    )
    return re.compile(rf"^(?:(?:{one})[\s.:)–—-]*)+", re.IGNORECASE)
