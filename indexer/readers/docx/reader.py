r"""Word documents: the passages of one `.docx` file.

    package → styles, numbering, notes → blocks → outline → passages

Automatic numbers are computed from the document's lists. Tables are rows between `\Table Start`
and `\Table End`; tracked changes are read as accepted. What is in no passage (title page, tables of
contents, deleted and hidden text, footnotes unless they are wanted) is noted with its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from indexer.blocks import Block, LeftOut
from indexer.readers.docx.body import BodyReader
from indexer.readers.docx.notes import Notes
from indexer.readers.docx.numbering import Numbering
from indexer.readers.docx.package import Package
from indexer.readers.docx.styles import Styles
from indexer.readers.outlined import OutlinedReader, itself

_TOP_LEVEL = (
    "{*}p", "{*}tbl", "{*}sdt", "{*}customXml", "{*}ins", "{*}moveTo", "{*}AlternateContent",
)  # fmt: skip
"""What is in a body, one after the other."""


class DocxReader(OutlinedReader):
    """Reads `.docx` and `.docm` files; macros are never looked at."""

    name = "docx"
    suffixes = frozenset({".docx", ".docm"})

    def blocks(self, path: Path) -> tuple[list[Block], list[LeftOut], Callable[[int], int]]:
        """Return the blocks of the file; the place of each is its paragraph."""
        return *read_blocks(path), itself


def read_blocks(path: Path) -> tuple[list[Block], list[LeftOut]]:
    """Return the blocks of a Word document, and what its reader left out.

    Raises:
        InputError: it is not a Word document, is protected, damaged or too large.
    """
    package = Package(path)
    try:
        styles = Styles(package.root(package.related("styles")))
        numbering = Numbering(package.root(package.related("numbering")), styles)
        notes = Notes(
            styles,
            footnote=package.root(package.related("footnotes")),
            endnote=package.root(package.related("endnotes")),
        )
        reader = BodyReader(styles, numbering, notes)
        return list(reader.document(package.body(_TOP_LEVEL))), reader.left_out
    finally:
        package.close()
