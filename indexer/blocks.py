"""What a formatted document is before its numbers are understood: a stream of blocks.

A reader of DOCX or PDF turns its file into blocks, each with the number that the format keeps apart
from the text and with the look that a person would see. What the numbers mean is decided in
`indexer.structuring.outline`, the same way for every format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TITLE_PAGE = "title page"
PROPERTIES = "title in the properties of the file"
RUNNING_HEAD = "running head or foot"
TABLE_OF_CONTENTS = "table of contents"
FOOTNOTE = "footnote"
HIDDEN = "hidden text"
DELETED = "deleted by a tracked change"
STRUCK = "struck-through text, which is no longer law"
ATTACHED = "attached file; save it beside the mail to have it read"
TOO_DEEP = "tables or text boxes inside each other"
"""Reasons for which words of a document are in no passage. Footnotes are among them because those
who number rulebooks by hand leave them out."""

BlockKind = Literal["paragraph", "table", "figure", "footnote"]


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, table, figure or footnote of a document, in reading order."""

    text: str
    """Visible text without the automatic number; the rows of a table are lines, its cells are
    parted by tabs."""
    kind: BlockKind = "paragraph"
    label: str = ""
    """The automatic number as a reader sees it: `1.2.3`, `(a)`, `Part 1`, `•`."""
    level: int = 0
    """0-based level of the automatic number in its list."""
    list_id: str = ""
    """Which list counts the automatic number; empty without one."""
    style: str = ""
    """Name of the paragraph style, lower case."""
    heading_level: int | None = None
    """0 for the outermost heading style, None for body text."""
    indent: int = 0
    """Left edge of the text in twentieths of a point."""
    bold: bool = False
    """Whether all of the text is bold."""
    italic: bool = False
    """Whether all of the text is italic."""
    underlined: bool = False
    """Whether all of the text is underlined."""
    centred: bool = False
    size: int = 0
    """Size of its largest letters in half-points; 0: unknown."""
    place: int = 0
    """1-based number of the paragraph (or line) in the source."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Words of the source that are in no passage, and why."""

    text: str
    reason: str
    place: int = 0
    """1-based number of the paragraph (or line) in the source; 0: unknown."""
    lost: bool = False
    """Whether it may be text of the document: a file that loses much of it is a problem."""
