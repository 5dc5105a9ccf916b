"""A list of sources that a model puts below its answer: it states nothing, and rirag shows one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.llm.tables import MODELS
from generation.text.citation_styles import MARKER, unified
from search.records import Passage
from search.text.analyzer import words

_AROUND = "*_#>:-–— \t"
_ITEM = re.compile(
    r"\s*(?:[-*•]\s*)?(?:\[\^?\d{1,6}\]|\d{1,3}[.):]|\(\d{1,3}\)|[-*•]\s|passage \d)", re.IGNORECASE
)
"""How a line of such a list begins."""
_CITED = re.compile(r"\W*?\[(\d{1,3})\](.*)")
_LONGEST_HEADING = 40
_LONGEST_ITEM = 300
_LONGEST_BLANK = 500
"""Characters of blanks that are held back because they may be above such a list."""


def without_own_sources(text: str, passages: Sequence[Passage] = ()) -> str:
    """Return an answer without the list of sources that closes it.

    An answer that cites nothing above the list stays as it is: the list may be all that says what
    it rests on. Lines that only name the passages are such a list without a heading.
    """
    lines = text.split("\n")
    for place in range(len(lines) - 1, 0, -1):
        if (first := _heading(lines[place])) is None:
            continue
        listed = [line for line in (first, *lines[place + 1 :]) if line.strip()]
        above = "\n".join(lines[:place]).rstrip()
        # Footnotes below such a heading are gone by now; a word that breaks off is none.
        complete = bool(listed) or lines[place].rstrip(_AROUND).endswith("s")
        if complete and all(map(_is_item, listed)) and MARKER.search(above):
            return above
    while lines and (not lines[-1].strip() or _only_names(lines[-1], passages)):
        lines.pop()
    above = "\n".join(lines)
    return above if MARKER.search(above) and above != text.rstrip() else text


def _only_names(line: str, passages: Sequence[Passage]) -> bool:
    found = _CITED.match(line)
    if found is None or not 0 < int(found[1]) <= len(passages):
        return False
    one = passages[int(found[1]) - 1]
    named, number = {*words(found[2])}, {*words(one.passage_id)}
    known = {*words(" ".join((one.document_title, one.document_id, *one.breadcrumb)))} | number
    # Beside a number there may be what it is of: `[1] Rule 1.1`.
    return bool(named) and len(named - known) <= (number <= named)


class OwnSourcesFilter:
    """Passes a reply on, but for a list of sources that closes it; a `StreamFilter`."""

    def __init__(self, passages: Sequence[Passage] = ()) -> None:
        self._passages = passages
        self._passed: list[str] = []
        self._held = ""
        self._later: list[str] = []
        """Behind what is held: blanks, and whatever follows a heading, which decide nothing yet."""
        self._waiting = 0
        """Characters of `_later`."""
        self._below_heading = False

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        self._later.append(text)
        self._waiting += len(text)
        many = self._waiting > _LONGEST_BLANK
        if self._below_heading or not (text.strip() or many):
            return ""
        self._take()
        start = 0
        for line in self._held.splitlines(keepends=True):
            if _may_begin(line, self._passages) and not (many and not line.strip()):
                self._below_heading = line.endswith("\n")
                break
            start += len(line)
        # Blank lines above the list go with it, if they are not too many.
        ready = self._held[:start]
        if start < len(self._held):
            ready = ready[: len(ready.rstrip())]
        elif not many:
            ready = ready.rstrip("\n")
        self._held = self._held[len(ready) :]
        self._passed.append(ready)
        return ready

    def finish(self) -> str:
        """Return what was held back, without a list of sources."""
        self._take()
        passed = "".join(self._passed)
        whole = unified(passed + self._held)
        left = without_own_sources(whole, self._passages)
        if left == whole:
            return self._held
        lines = (passed + self._held).split("\n")[: left.count("\n") + 1]
        return "\n".join(lines)[len(passed) :].rstrip()

    def _take(self) -> None:
        self._held += "".join(self._later)
        self._later.clear()
        self._waiting = 0


def _heading(line: str) -> str | None:
    """Return what comes after the heading of such a list on its line; None: it is none."""
    head, colon, rest = line.partition(":")
    name = head.strip(_AROUND).casefold()
    alone = not line.strip()[:1].isalpha() or name == line.strip().casefold()
    if name in MODELS["sources"] and (colon or alone):
        return rest.strip(_AROUND)
    return None


def _is_item(line: str) -> bool:
    return bool(_ITEM.match(line)) and len(line) <= _LONGEST_ITEM


def _may_begin(line: str, passages: Sequence[Passage]) -> bool:
    if line.endswith("\n"):
        return _heading(line.rstrip("\n")) is not None or _only_names(line, passages)
    begun = line.partition(":")[0].lstrip(_AROUND).casefold()
    if len(begun) > _LONGEST_HEADING:
        return False
    return (
        begun.startswith("[")
        or any(one.startswith(begun.rstrip(_AROUND)) for one in MODELS["sources"])
        or _heading(line) is not None
    )
