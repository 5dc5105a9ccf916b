"""Unnumbered lines that are headings, recognised by their look."""

from __future__ import annotations

import re

from indexer.blocks import Block
from indexer.structuring.lines.contents import TITLE as CONTENTS_TITLE
from search.language import vocabulary

LONGEST = 16
"""Words of an unnumbered heading at most: longer bold lines are emphasised sentences."""

SENTENCE_WORDS = 3
"""Words from which a line with a stop at its end is text and no part of a title page."""

STYLED_LEVELS = 2
"""Heading styles whose level is believed; lawyers use the deeper ones for rules and their parts."""

PARTING_LEVEL = 1
"""Deepest heading style that parts a document wherever it is: Word's second."""

NAMED_SECTIONS = frozenset(
    {"background", "definitions", "disclaimer", "glossary", "interpretation", "introduction",
     "preamble"}
)  # fmt: skip
"""Headings that open a passage of their own where unnumbered text follows them."""

_GUIDANCE = re.compile(
    r"guidance(?:\s+notes?)?\s*(?:[:–—.-].*|(?:on|about|for|to|relating|regarding|in)\b.*)?",
    re.IGNORECASE,
)
_BARE_ATTACHMENT = re.compile(
    vocabulary.pattern(["schedule", "annex", "app"], "en", short=False), re.IGNORECASE
)
_NUMBERED = re.compile(r"(?:§+|[^\W\d]+\.?)\s*(?:\d|[IVXLC]+\b)")
"""How a title with a number in another language begins: `Artículo 3. Deber de información.`"""
_CONTENTS = re.compile(rf"{CONTENTS_TITLE}:?", re.IGNORECASE)
_SENTENCE_END = (".", ";", ",", ":", "—", "–")


def is_heading(block: Block) -> bool:
    """Return whether an unlabelled paragraph is set as a heading."""
    text = block.text.strip()
    if block.kind != "paragraph" or not text or len(text.split()) > LONGEST:
        return False
    if not is_set_apart(block):
        return False
    if text.endswith(".") and _is_styled(block) and _NUMBERED.match(text):
        return True
    return not text.endswith(_SENTENCE_END) or (text.endswith(":") and block.bold)


def is_set_apart(block: Block) -> bool:
    """Return whether a paragraph looks unlike the text: bold, centred, in capitals, a heading."""
    text = block.text.strip()
    capitals = text == text.upper() and text != text.lower() and len(text) > 3
    look = block.bold or block.underlined or block.italic or (block.centred and len(text) < 40)
    return look or _is_styled(block) or capitals


def parts(block: Block) -> bool:
    """Return whether an unlabelled paragraph is a heading that parts a document."""
    return _is_styled(block) and is_heading(block)


def is_sentence(text: str) -> bool:
    """Return whether a line is text, not the title, the version or the date of a document."""
    words = len(text.split())
    return words > LONGEST or (words >= SENTENCE_WORDS and text.endswith((".", ";", ":")))


def is_title(block: Block, text: str) -> bool:
    """Return whether the text after a label is the title of what is below it."""
    return (block.bold or block.underlined) and not text.endswith(_SENTENCE_END)


def title_level(block: Block, text: str) -> int | None:
    """Return the level that a style gives the title after a label; None for a rule."""
    level = block.heading_level
    if level is None or level > STYLED_LEVELS or len(text.split()) > LONGEST:
        return None
    return None if text.endswith(_SENTENCE_END) else level


def is_guidance(block: Block) -> bool:
    """Return whether a heading opens a guidance box."""
    text = block.text.strip()
    if not _GUIDANCE.fullmatch(text):
        return False
    return is_heading(block) or len(text.split()) == 1


def is_bare_attachment(block: Block) -> bool:
    """Return whether a heading is the word of an attachment without a number (`ANNEX`)."""
    return bool(_BARE_ATTACHMENT.fullmatch(block.text.strip())) and is_set_apart(block)


def is_contents(block: Block) -> bool:
    """Return whether a line is the heading of a table of contents."""
    return bool(_CONTENTS.fullmatch(block.text.strip()))


def rank(block: Block) -> tuple[object, ...]:
    """Return what a heading looks like; headings of one level share it."""
    if block.heading_level is not None and block.heading_level <= STYLED_LEVELS:
        return (block.heading_level,)
    text = block.text.strip()
    return (text == text.upper(), block.bold, block.underlined, block.italic, block.centred)


def _is_styled(block: Block) -> bool:
    """Return whether a style makes a paragraph one of the outermost headings."""
    return block.heading_level is not None and block.heading_level <= PARTING_LEVEL
