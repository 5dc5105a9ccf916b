"""Footnotes and endnotes of a Word document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.docx.inline import InlineReader
from indexer.readers.docx.markup import attribute
from indexer.readers.docx.styles import Styles

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class Notes:
    """Looks notes up by kind and id."""

    def __init__(self, styles: Styles, **roots: Element | None) -> None:
        """Read the parts of the notes; the keyword is `footnote` or `endnote`."""
        self._texts: dict[tuple[str, str], str] = {}
        for kind, root in roots.items():
            for note in root if root is not None else ():
                if attribute(note, "type") in (None, "normal"):
                    inline = InlineReader(styles)
                    lines = (inline.read(p, None).text.strip() for p in note.iter("{*}p"))
                    self._texts[kind, attribute(note, "id") or ""] = "\n".join(filter(None, lines))

    def text(self, kind: str, note: str) -> str:
        """Return the text of a note; "" for one that is not there."""
        return self._texts.get((kind, note), "")
