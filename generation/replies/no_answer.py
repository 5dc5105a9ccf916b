"""Recognises a reply by which a model says that the passages do not answer the question."""

from __future__ import annotations

from generation.text.citation_styles import MARKER

NOTHING_FOUND = "INSUFFICIENT EVIDENCE"
"""What the prompts ask a model to write when the passages do not bear on the question."""

_AROUND = "*_#>\"'“”.: \t\n"


def says_nothing(text: str) -> bool:
    """Return whether a reply begins with `NOTHING_FOUND` and then cites nothing.

    Models like to add why; one that goes on to cite has found something after all.
    """
    return _begins(text) and not MARKER.search(text)


class NoAnswerFilter:
    """Passes a reply on once it is clear that it does not begin with `NOTHING_FOUND`.

    What such a reply says is not the answer; the answer that is shown names the nearest passages.
    """

    def __init__(self) -> None:
        self._held = ""
        self._open = False

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        if self._open:
            return text
        self._held += text
        if _may_begin(self._held):
            return ""
        self._open = True
        return self._held

    def finish(self) -> str:
        """Return nothing: what is held back now is not an answer."""
        return ""


def _begins(text: str) -> bool:
    return text.lstrip(_AROUND).upper().startswith(NOTHING_FOUND)


def _may_begin(text: str) -> bool:
    start = text.lstrip(_AROUND).upper()[: len(NOTHING_FOUND)]
    return NOTHING_FOUND.startswith(start)
