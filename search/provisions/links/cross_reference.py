"""A rule that a passage names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A rule that a passage names."""

    text: str
    """The words that name it; a member of a range has those of the whole range."""
    keys: tuple[str, ...]
    """Lookup keys to try in this order: the number itself, then the numbers that enclose it."""
    document_ids: tuple[str, ...] = ()
    """The documents that are beside it; empty: the passage's own."""
    outside: str | None = None
    """The document it is in by the passage's words, when none of the index has that name."""
    relative: bool = False
    """Whether it is named from where the passage is: "this Chapter", "paragraph (2)"."""
    around: bool = False
    """Whether it is what the passage itself is in: "this Chapter"."""
    unit: str = ""
    """The rule word of a whole number without dots: `section` in "section 92(2)"."""
    container: bool = False
    """Whether it is a part, chapter or the like, which is a heading wherever it is written."""
    place: tuple[int, int] = (0, 0)
    """The line of the passage that it is in, from 0, and where in the tidy line it begins."""
