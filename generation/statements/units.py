"""The smallest stretches to quote alone: a sentence, or a list item or row with its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from generation.statements.conditions import takes_back
from generation.statements.passages import Statement, stretches_of
from generation.statements.tables import Piece
from generation.text.subject import terms_of

SMALL_LIST = 40
"""Words up to which a list is one unit: nothing is gained by parting it."""


@dataclass(frozen=True)
class Unit:
    """A piece of a statement with all that it needs around it."""

    statement: Statement
    core: int
    """Index of the piece that it is about; of a statement quoted whole, its first."""
    pieces: tuple[int, ...]

    @cached_property
    def text(self) -> str:
        """What would be quoted."""
        return " ".join(self.statement.pieces[index].text for index in self.pieces)

    @cached_property
    def own(self) -> str:
        """The words of its own: without those of the frame, which its neighbours share."""
        is_whole = len(self.pieces) == len(self.statement.pieces)
        return self.text if is_whole else self.statement.pieces[self.core].text

    @cached_property
    def terms(self) -> frozenset[str]:
        """Index terms of the text (`terms_of`)."""
        return terms_of(self.text)

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(self.statement.pieces[index].words for index in self.pieces)

    @property
    def stretches(self) -> tuple[str, ...]:
        """Its text as stretches of the passage."""
        return stretches_in(self.statement, self.pieces)


def stretches_in(statement: Statement, chosen: Sequence[int]) -> tuple[str, ...]:
    """Return some pieces of a statement as stretches of its passage: neighbours are one."""
    runs: list[list[Piece]] = []
    for before, index in zip((None, *chosen), chosen, strict=False):
        if before is not None and before == index - 1:
            runs[-1].append(statement.pieces[index])
        else:
            runs.append([statement.pieces[index]])
    return tuple(stretch for run in runs for stretch in stretches_of(run))


def units_of(statement: Statement) -> tuple[Unit, ...]:
    """Return the units of a statement, in its order.

    A list has one for each item that has no items of its own, with what introduces and closes it; a
    table has one for each row, with its head. A sentence is quoted with its exceptions, and one
    that leans on it with all between them.
    """
    pieces = statement.pieces
    everything = tuple(range(len(pieces)))
    if len(pieces) == 1 or sum(piece.words for piece in pieces) <= SMALL_LIST:
        return (Unit(statement, 0, everything),)
    if all(piece.role in ("lead", "tail") for piece in pieces):
        return _sentences(statement)
    tails = {index for index, piece in enumerate(pieces) if piece.role == "tail"}
    parents = {piece.parent for piece in pieces}
    ends = [index for index in everything if pieces[index].role in ("item", "row")]
    leaves = [index for index in ends if index not in parents]
    return tuple(
        Unit(statement, leaf, tuple(sorted(tails | with_parents(statement, leaf))))
        for leaf in leaves
    )


def _sentences(statement: Statement) -> tuple[Unit, ...]:
    pieces = statement.pieces
    exceptions = [i for i, piece in enumerate(pieces) if i and takes_back(piece.text)]
    leaning = [i for i in range(1, len(pieces)) if i not in exceptions]
    first = Unit(statement, 0, (0, *exceptions))
    return (first, *(Unit(statement, i, tuple(range(i + 1))) for i in leaning))


def with_parents(statement: Statement, index: int) -> set[int]:
    """Return a piece and all that introduces it; the lead always."""
    found = {0}
    step: int | None = index
    while step is not None and (step == 0 or step not in found):
        found.add(step)
        step = statement.pieces[step].parent
    return found
