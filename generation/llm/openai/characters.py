"""Whole characters out of text in which servers have cut some into halves."""

from __future__ import annotations

import codecs


class Characters:
    """Joins the halves of characters piece by piece, and replaces those that stay alone.

    JSON escapes can bring in half a character, which no file, terminal or request can hold; a
    server that cuts its text carelessly sends the two halves in two chunks.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-16-le")("replace")

    def feed(self, text: str) -> str:
        """Take the next piece; return what of it is whole."""
        return self._decoder.decode(text.encode("utf-16-le", "surrogatepass"))

    def finish(self) -> str:
        """Return what is left of half a character."""
        return self._decoder.decode(b"", final=True)


def whole_text(text: str) -> str:
    """Return a text with halves of characters joined, and those that stay alone replaced."""
    characters = Characters()
    return characters.feed(text) + characters.finish()
