"""Takes the marks of the prompt's fence, and what steers a terminal, out of a reply."""

from __future__ import annotations

from generation.text.fence import without_marks
from generation.text.sanitize import printable

LONGEST_MARK = 400
"""Characters that are held back while they may be a mark; names in marks are shorter."""


class PromptMarksFilter:
    """Passes a reply on; a piece is held back only while it may be part of a mark."""

    def __init__(self, code: str) -> None:
        """Begin a reply.

        Args:
            code: of the fence in the prompt; empty: there was none.
        """
        self._mark = f"<<{code}" if code else ""
        self._code = code
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        self._held += printable(text)
        return self._released(self._safe_length())

    def finish(self) -> str:
        """Return what was held back."""
        return self._released(len(self._held))

    def _safe_length(self) -> int:
        """Return how many characters are not part of a mark that is not complete yet."""
        if not self._mark:
            return len(self._held)
        start = self._held.rfind("<<")
        if start < 0:
            return len(self._held) - self._held.endswith("<")
        open_ = self._held[start:]
        # A mark takes the end of its line with it, so what follows it decides.
        ended = open_.partition(">>")[2] or "\n" in open_ or len(open_) > LONGEST_MARK
        may_be_mark = self._mark.startswith(open_) or open_.startswith(self._mark)
        return len(self._held) if ended or not may_be_mark else start

    def _released(self, length: int) -> str:
        ready, self._held = self._held[:length], self._held[length:]
        return without_marks(ready, self._code) if self._code else ready
