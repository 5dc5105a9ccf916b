"""What is on a page of a PDF, as drawn; lengths are points from the upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

_PRIVATE = 0xF000
"""Where symbol fonts have their 256 signs."""

_PLAIN = {
    **{_PRIVATE + code: chr(code) for code in range(0x21, 0x7F)},
    **{_PRIVATE + code: "•" for code in (0x6C, 0x6E, 0x76, 0x77, 0xA7, 0xA8, 0xB7, 0xD8)},
    **{_PRIVATE + code: "✓" for code in (0xFC, 0xFE)},
    0x25CF: "•", 0x25AA: "•", 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi",
    0xFB04: "ffl", 0x200B: None, 0xFEFF: None,
}  # fmt: skip
"""Signs of symbol fonts and joined letters; most of the former are bullets."""


class Word(NamedTuple):
    """A word, or a piece of one where the look changes inside it."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    baseline: float
    size: float
    """Of the font."""
    bold: bool
    italic: bool
    spaced: bool
    """Whether a space comes before it."""


class Box(NamedTuple):
    """A drawn line or a picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def lies(self) -> bool:
        """Whether a drawn line is rather horizontal."""
        return self.width >= self.height


@dataclass(frozen=True, slots=True)
class Page:
    """One page, turned so that most of its text runs from left to right."""

    number: int
    """1-based."""
    width: float
    height: float
    words: tuple[Word, ...]
    """In the order in which they were drawn."""
    turned: tuple[str, ...]
    """Words that run in another direction, such as a mark across the page."""
    rules: tuple[Box, ...]
    """Straight lines that are drawn."""
    images: tuple[Box, ...]
    damaged: bool = False


def plain(text: str) -> str:
    """Return a word with the signs of symbol fonts as letters that everybody has."""
    return text.translate(_PLAIN) if not text.isascii() else text


def page_of(record: dict[str, Any], number: int) -> Page:
    """Return the page that a line of the extraction tells."""
    if "words" not in record:
        return Page(number, 0.0, 0.0, (), (), (), (), damaged=True)
    width, height = record["size"]
    return Page(
        number=number,
        width=width,
        height=height,
        words=tuple(Word(plain(text), *rest) for text, *rest in record["words"]),
        turned=tuple(record["turned"]),
        rules=tuple(Box(*rule) for rule in record["rules"]),
        images=tuple(Box(*image) for image in record["images"]),
    )
