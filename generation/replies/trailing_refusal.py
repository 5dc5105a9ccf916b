"""A refusal that a model puts below an answer: it contradicts what is above it, and goes.

The prompts ask a model to write INSUFFICIENT EVIDENCE where it finds nothing. Small ones answer,
cite, and close with these words all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.records import AnswerWarning
from generation.text.citation_styles import MARKER, unified

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


_BEFORE = "*_#>\"'“” \t"
_BEHIND = _BEFORE + "’.!\n[]()0123456789"
_ENDS_SENTENCE = (".", "!", "?", "]", ")", "”", '"')
_NUMBERED = re.compile(r"\(?\w{1,3}[.)]")
"""An item of a numbered list answers one part of a question, and may well say that of it."""

_LONGEST_HELD = 200
"""Characters that are held back while they may be a closing refusal; blanks are most of them."""

_CLOSED = (
    "The model wrote “insufficient evidence” below an answer that cites passages; "
    "these words were removed. Check this answer carefully."
)


def without_closing(text: str) -> tuple[str, list[AnswerWarning]]:
    """Return a text without the refusal below it, and the warning on that; none: it has none.

    A text that cites nothing stays as it is: its refusal may be all that is right in it.
    """
    left = _without_refusals(text)
    if left == text or not MARKER.search(left):
        return text, []
    shown = "\n".join(with_content(left.split("\n"))).strip()
    return shown, [AnswerWarning("contradictory", _CLOSED)]


class TrailingRefusalFilter:
    """Passes a reply on, but for a refusal that closes an answer; `finish` decides on it."""

    def __init__(self) -> None:
        self._passed: list[str] = []
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        pending = self._held + text
        start = _start_of_closing(pending)
        ready, self._held = pending[:start], pending[start:]
        self._passed.append(ready)
        return ready

    def finish(self) -> str:
        """Return what was held back, without a refusal that takes an answer back which cites."""
        held, passed = self._held, "".join(self._passed)
        if held and without_closing(unified(passed + held))[1]:
            return _without_refusals(passed + held)[len(passed) :]
        return held


def _without_refusals(text: str) -> str:
    while (above := _above(text)) is not None:
        text = above
    return text


def _above(text: str) -> str | None:
    bare = text.rstrip(_BEHIND)
    if bare[-len(NOTHING_FOUND) :].upper() != NOTHING_FOUND:
        return None
    above = bare[: -len(NOTHING_FOUND)].rstrip(_BEFORE)
    line = above[above.rfind("\n") + 1 :]
    if line and (_NUMBERED.fullmatch(line.strip()) or not line.endswith(_ENDS_SENTENCE)):
        return None
    return above.rstrip()


def _start_of_closing(text: str) -> int:
    """Return where a refusal may begin that closes a text in the writing."""
    tail = text[-_LONGEST_HELD:]
    start = len(text) - len(tail) + _start_of_words(tail)
    before = text[:start].rstrip(_BEFORE + "\n")
    if "\n" in text[len(before) : start] and len(text) - len(before) <= _LONGEST_HELD:
        return len(before)
    return start


def _start_of_words(tail: str) -> int:
    """Return where the words of a refusal begin that a text ends in, or may; its length if none."""
    bare = tail.rstrip(_BEHIND)
    for length in range(len(NOTHING_FOUND), 0, -1):
        begun = NOTHING_FOUND[:length]
        ended = bare if length == len(NOTHING_FOUND) else tail
        before = ended[: len(ended) - length]
        if ended.upper().endswith(begun) and not before[-1:].isalnum():
            return len(before)
    return len(tail)


def with_content(lines: Sequence[str]) -> list[str]:
    """Return the lines without the last introductions and headings that nothing follows."""
    kept: list[str] = []
    following = ""
    for line in reversed(lines):
        opens = line.rstrip(" *_").endswith(":") or line.lstrip().startswith("#")
        if opens and (not following or following.lstrip().startswith("#")):
            continue
        kept.append(line)
        following = line if line.strip() else following
    return kept[::-1]
