"""A reply on its way to the reader: printable, harmless, without marks of its prompt or refusal."""

from __future__ import annotations

from generation.llm.protocol import OnText
from generation.replies.no_answer import HeldBack
from generation.replies.question_echo import EchoHeldBack
from generation.replies.trailing_refusal import ClosingHeldBack
from generation.text.fence import without_marks
from generation.text.markup import HarmlessStream
from generation.text.terminal import printable

LONGEST_MARK = 400
"""Characters that are held back while they may be a mark; names in marks are shorter."""


class Stream:
    """Passes on what a model writes, piece by piece, as it may be shown.

    A piece is held back only while it may be part of a mark or of markup, begin a refusal, repeat
    the question, or be a refusal that closes the text; `finish` passes on what is left. What is
    passed on is the answer's text, but for citations, which are written one way in the end, and for
    what a model says again.
    """

    def __init__(self, hear: OnText, code: str = "", echo: str = "") -> None:
        """Begin a stream.

        Args:
            hear: gets what may be shown.
            code: of the fence in the prompt; empty: there was none.
            echo: the question, where a reply that begins with it is to go without.
        """
        self._closing = ClosingHeldBack(hear)
        self._echo = EchoHeldBack(self._closing, echo)
        self._hear = HarmlessStream(HeldBack(self._echo))
        self._mark = f"<<{code}" if code else ""
        self._code = code
        self._held = ""

    def __call__(self, text: str) -> None:
        """Take in the next piece."""
        self._held += printable(text)
        ready = self._safe_length()
        if ready:
            self._pass_on(ready)

    def finish(self) -> None:
        """Pass on what was held back."""
        self._pass_on(len(self._held))
        self._hear.finish()
        self._echo.finish()
        self._closing.finish()

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

    def _pass_on(self, length: int) -> None:
        ready, self._held = self._held[:length], self._held[length:]
        text = without_marks(ready, self._code) if self._code else ready
        if text:
            self._hear(text)
