"""A reply on its way to the reader: printable, harmless, without marks of its prompt or refusal."""

from __future__ import annotations

from generation.llm.protocol import OnText
from generation.replies.filters import Chain
from generation.replies.no_answer import NoAnswerFilter
from generation.replies.own_sources import OwnSourcesFilter
from generation.replies.prompt_marks import PromptMarksFilter
from generation.replies.question_echo import EchoFilter
from generation.replies.trailing_refusal import TrailingRefusalFilter
from generation.text.markup import MarkupFilter


class Stream:
    """Passes on what a model writes, piece by piece, as it may be shown.

    What is passed on is the answer's text, but for citations, which are written one way in the end,
    and for what a model says again.
    """

    def __init__(self, hear: OnText, code: str = "", echo: str = "") -> None:
        """Begin a stream.

        Args:
            hear: gets what may be shown.
            code: of the fence in the prompt; empty: there was none.
            echo: the question, where a reply that begins with it is to go without.
        """
        filters = (
            PromptMarksFilter(code), MarkupFilter(), NoAnswerFilter(), EchoFilter(echo),
            OwnSourcesFilter(), TrailingRefusalFilter(),
        )  # fmt: skip
        self._chain = Chain(filters)
        self._hear = hear

    def __call__(self, text: str) -> None:
        """Take in the next piece."""
        self._pass_on(self._chain.feed(text))

    def finish(self) -> None:
        """Pass on what was held back."""
        self._pass_on(self._chain.finish())

    def _pass_on(self, text: str) -> None:
        if text:
            self._hear(text)
