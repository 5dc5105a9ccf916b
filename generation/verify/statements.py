"""Takes an answer apart into statements, each with its citations and its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generation.citation_styles import MARKER, cited_numbers
from generation.sentences import split_sentences
from generation.verify.folding import folded
from generation.verify.forces import binds
from generation.verify.frames import is_frame
from generation.verify.quotes import quotations

FEWEST_WORDS = 4
"""What cites nothing and has fewer words is a phrase, not a statement."""

_BULLET = re.compile(r"[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+")
_MARKERS = re.compile(rf"(?:{MARKER.pattern}[ \t]*)+")
_AFTER_STOP = re.compile(
    rf"(?<=[.!?”\"’)*])[ \t]?(?:{MARKER.pattern}[ \t]?)++[.]?(?=[ \t]*[A-Z0-9“\"(*])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_LABEL = re.compile(
    r"\*\*[^*\n]{1,300}\*\*[ \t]*+(?:\([^\n]{0,300}?\)[ \t]*+)?:[ \t]*+(?=[“\"\n]|$)"
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One statement as it stands in the answer."""

    text: str
    """White space folded, without the bullet."""
    citations: tuple[int, ...]
    start: int
    end: int
    """Offsets in the answer, bullet excluded."""

    def moved(self, characters: int) -> Spoken:
        """Return the same statement so much further on."""
        return replace(self, start=self.start + characters, end=self.end + characters)

    @property
    def label(self) -> str:
        """The bold name of a rule that a quotation follows, such as `**COBS 3.5.8**:`."""
        found = _LABEL.match(self.text)
        return found[0] if found else ""

    @property
    def claim(self) -> str:
        """The statement without its citations and its label."""
        return _MARKERS.sub("", self.text[len(self.label) :]).strip()


def statements_in(text: str) -> list[Spoken]:
    """Return the statements of an answer whose citations are unified, in order.

    A statement is a sentence or a whole quotation; citations behind the stop belong to the
    sentence before. Headings, introductions, and sentences that only speak of the answer itself
    are none.
    """
    return [spoken for block in _blocks(text) for spoken in _of_block(text, *block)]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line; a line goes on while a quotation is open."""
    start, place, depth = None, 0, 0
    for line in text.splitlines(keepends=True):
        blank = not line.strip()
        if start is None:
            start = place
        depth += line.count("“") - line.count("”")
        if blank or depth <= 0:
            yield start, place + len(line)
            start, depth = None, 0
        place += len(line)
    if start is not None:
        yield start, place


def _of_block(text: str, start: int, end: int) -> Iterator[Spoken]:
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet else start
    if text[start:end].lstrip().startswith("#"):
        return
    label = _LABEL.match(text, start, end)
    # The headings in a label have full stops of their own.
    spans = _joined(text, _sentences(text, label.end() if label else start, end))
    if label and spans:
        spans[0] = (start, spans[0][1])
    for first, last in spans:
        shown = " ".join(text[first:last].split())
        spoken = Spoken(shown, _citations(shown), first, last)
        if _is_statement(spoken):
            yield spoken


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    cuts = [found.end() for found in _AFTER_STOP.finditer(text, start, end)]
    for first, last in zip([start, *cuts], [*cuts, end], strict=True):
        place = first
        for sentence in split_sentences(text[first:last]):
            place = text.index(sentence, place, last)
            yield place, place + len(sentence)
            place += len(sentence)


def _joined(text: str, spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sentences with the citations that follow them; one goes on while a quote is open."""
    made: list[tuple[int, int]] = []
    depth = straight = 0
    for first, last in spans:
        piece = text[first:last]
        opened = depth > 0 or straight % 2 == 1
        if made and (opened or _MARKERS.fullmatch(piece)):
            made[-1] = (made[-1][0], last)
        elif made and (lead := _MARKERS.match(piece)) and not cited_numbers(text[slice(*made[-1])]):
            made[-1] = (made[-1][0], first + lead.end())
            made.append((first + lead.end(), last))
        else:
            made.append((first, last))
        depth = max(0, depth + piece.count("“") - piece.count("”"))
        straight += piece.count('"')
    return made


def _citations(shown: str) -> tuple[int, ...]:
    """Return the numbers cited; those in quotations, which may be the source's, only for want of
    others.
    """
    outside, place = [], 0
    for quoted in quotations(shown):
        outside.append(shown[place : quoted.start])
        place = quoted.end
    return tuple(cited_numbers(" ".join([*outside, shown[place:]])) or cited_numbers(shown))


def _is_statement(spoken: Spoken) -> bool:
    claim = spoken.claim.strip("*_ ")
    words = _WORD.findall(claim)
    if not words or (len(words) < FEWEST_WORDS and not spoken.citations):
        return False
    if not spoken.citations and is_frame(claim):
        return False
    # An introduction states nothing unless it binds: "A firm must, within a day, do this:".
    return not claim.endswith(":") or binds(folded(claim))
