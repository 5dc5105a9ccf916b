"""A reply on its way to the reader: printable, harmless, without marks of its prompt or refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generation.llm.protocol import OnText
from generation.replies.own_sources import OwnSourcesFilter
from generation.replies.question_echo import EchoFilter
from generation.replies.trailing_refusal import NoAnswerFilter, TrailingRefusalFilter
from generation.text.fence import without_marks
from generation.text.markup import MarkupFilter
from generation.text.sanitize import printable
from search.records import Passage

LONGEST_MARK = 400
"""Characters that are held back while they may be a mark; names in marks are shorter."""


class PromptMarksFilter:
    """Passes a reply on; a piece is held back only while it may be part of a mark."""

    def __init__(self, code: str) -> None:
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


class StreamFilter(Protocol):
    """Changes a text piece by piece.

    What `feed` and `finish` return, joined, is what the filter makes of the whole text, however
    that was cut into pieces. What may still change is held back.
    """

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        ...

    def finish(self) -> str:
        """Return what was held back; the text is complete."""
        ...


class Stream:
    """Passes on what a model writes, piece by piece, as it may be shown.

    What is passed on is the answer's text, but for citations, which are written one way in the end,
    and for what a model says again.
    """

    def __init__(
        self, hear: OnText, code: str = "", echo: str = "", passages: Sequence[Passage] = ()
    ) -> None:
        """Begin a stream.

        Args:
            hear: gets what may be shown.
            code: of the fence in the prompt; empty: there was none.
            echo: the question, where a reply that begins with it is to go without.
            passages: in the prompt.
        """
        self._filters: tuple[StreamFilter, ...] = (
            PromptMarksFilter(code), MarkupFilter(), NoAnswerFilter(), EchoFilter(echo),
            OwnSourcesFilter(passages), TrailingRefusalFilter(),
        )  # fmt: skip
        self._hear = hear

    def __call__(self, text: str) -> None:
        """Take in the next piece."""
        for one in self._filters:
            text = one.feed(text) if text else ""
        self._pass_on(text)

    def finish(self) -> None:
        """Pass on what was held back."""
        left = ""
        for one in self._filters:
            left = (one.feed(left) if left else "") + one.finish()
        self._pass_on(left)

    def _pass_on(self, text: str) -> None:
        if text:
            self._hear(text)
