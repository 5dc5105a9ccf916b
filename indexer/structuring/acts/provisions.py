"""An act as a tree of provisions: what every reader of structured legal text makes of its file.

Readers know the marks of their format; `granularity` decides which provisions become passages of
their own, and `passages` makes their IDs and texts, the same way for every format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from indexer.blocks import LeftOut
from search.records import MetadataValue

Level = Literal[
    "division", "article", "annex", "section", "paragraph", "point", "recital", "frame", "footnote"
]
"""What a provision is. A division groups articles (part, title, chapter, …), a section groups what
is in an annex, and a frame is what is around the articles: preamble and closing words."""

PREAMBLE, FORMULAS = "Preamble", "Concluding formulas"
"""What the frames before and behind the rules are called."""

WORK, VERSION_DAY = "version_of", "version_day"
"""Metadata fields in which readers say which work a file holds, and from which day on its text is
the law; what is loaded has none of them."""


@dataclass(slots=True)
class Provision:
    """One provision, with all that is below it in the order of the source."""

    level: Level
    number: str = ""
    """As it follows the number of what encloses it: `Article 92`, `(1)`, `(a)`, `Part Three`; in
    an annex `.1`; empty for a heading without a number."""
    heading: str = ""
    parts: list[str | Provision] = field(default_factory=list)
    """Paragraphs and tables as text, and provisions."""
    label: str = ""
    """The number as the source shows it, for a list that stays with its clause: `(a)`, `—`."""
    place: int = 0
    """1-based line in the source; 0: unknown."""
    metadata: dict[str, MetadataValue] = field(default_factory=dict)
    rank: int = 0
    """Of a heading beside its units, 1 for the outermost: what follows is below it."""

    def children(self) -> Iterator[Provision]:
        """Yield the provisions directly below."""
        for part in self.parts:
            if isinstance(part, Provision):
                yield part


@dataclass(slots=True)
class Act:
    """One act as a reader understood it."""

    document_id: str
    title: str = ""
    metadata: dict[str, MetadataValue] = field(default_factory=dict)
    provisions: list[Provision] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    """Words of the source that are in no passage, and why."""
    counted: dict[int, int] = field(default_factory=dict)
    """Places of numbers that count on in the source, with the words each is for; empty: unknown."""

    def take(self, whole: Provision) -> None:
        """Add the provisions below one for the whole document.

        Loose text before them is a preamble, and after the last rule the concluding formulas.
        """
        rules = [i for i, part in enumerate(whole.parts) if _is_rule(part)]
        first, last = (rules[0], rules[-1]) if rules else (len(whole.parts), -1)
        open_frame: Provision | None = None
        for index, part in enumerate(whole.parts):
            if isinstance(part, Provision):
                self.provisions.append(part)
                open_frame = None
                continue
            if open_frame is None:
                name = PREAMBLE if index < first else FORMULAS if index > last else "Text"
                open_frame = Provision("frame", name)
                self.provisions.append(open_frame)
            open_frame.parts.append(part)

    def leave_out(self, text: str, reason: str, *, lost: bool = False) -> None:
        """Note words that no passage will hold; blank text is not worth a note.

        Args:
            text: the words.
            reason: why they are in no passage.
            lost: whether they may be text of the act, so that much of it is a problem.
        """
        text = " ".join(text.split())
        if text:
            self.left_out.append(LeftOut(text, reason, lost=lost))


def _is_rule(part: str | Provision) -> bool:
    return isinstance(part, Provision) and part.level in {"division", "article", "section"}


def receiver(provision: Provision, rank: int = 0) -> Provision:
    """Return what takes the next part of a provision: its last heading beside units, if any.

    A heading of a rank goes below the nearest one that is above it.
    """
    while provision.parts:
        last = provision.parts[-1]
        if not isinstance(last, Provision) or not last.rank or (rank and last.rank >= rank):
            break
        provision = last
    return provision


def flat_lines(provision: Provision) -> list[str | Provision]:
    """Return the lines of a provision and of all below it, numbers as the source shows them.

    Footnotes among them stay what they are.
    """
    lines: list[str | Provision] = [provision.heading] if provision.heading else []
    for part in provision.parts:
        if isinstance(part, Provision) and part.level != "footnote":
            lines += flat_lines(part)
        else:
            lines.append(part)
    named = provision.level in {"article", "division"}
    label = provision.label or (provision.number if named else "")
    if label and lines and isinstance(lines[0], str):
        lines[0] = f"{label} {lines[0]}"
    elif label:
        lines.insert(0, label)
    return lines
