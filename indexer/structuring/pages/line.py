"""One line of a page or a text, as it is set."""

from __future__ import annotations

from dataclasses import dataclass

from indexer.structuring.acts.provisions import Provision, flat_lines

CONTENTS = "a table of contents or a menu"
RANKS = 6
"""Ranks that a heading may have, as `h1` to `h6`."""


def plain(text: str) -> str:
    """Return text with single blanks."""
    return " ".join(text.split())


def shown_words(line: Line) -> str:
    """Return all that a line shows, the block that belongs to it included."""
    blocks = flat_lines(line.block) if isinstance(line.block, Provision) else [line.block]
    return " ".join([line.text, *(one for one in blocks if isinstance(one, str))])


def control_text(line: Line) -> str:
    """Return what a line may say of its document: no heading, and no item of a list."""
    return line.block if isinstance(line.block, str) else "" if line.rank else line.text


@dataclass(slots=True)
class Line:
    """One line of a page, or what is between lines."""

    text: str = ""
    rank: int = 0
    """Of a heading, 1 for `h1`; 0 for a paragraph."""
    label: bool = False
    """Whether the line is a number, whose text is the next line."""
    marked: bool = False
    """Whether the line begins with a number that is an element of its own."""
    attachment: bool = False
    """Whether a paragraph is the title of a schedule."""
    block: str | Provision | None = None
    """A table, or an item of a marked list: it belongs to what comes before it."""
    term: tuple[str, str] | None = None
    """A term of a list of terms, and what it means."""
    menu: bool = False
    """Whether the line is a list of links or dates, which is not text of the page."""
    date: str = ""
    """ISO date beside a rule, from which it is law."""
    note: bool = False
    """Whether the line is the text of a footnote."""
    indent: int = 0
    """0-based column in which the text begins."""
    place: int = 0
