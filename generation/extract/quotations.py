"""Makes quotations of the pieces chosen from one passage: joined, with ellipses at clause borders.

Every run of words between two ellipses is a stretch of the passage's text, white space folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generation.extract.selection import Chosen
from generation.text.phrases import ELLIPSIS
from generation.text.statements.clauses import (
    announces,
    fold,
    statements_of,
    stretches_of,
)
from generation.text.statements.tables import Piece, without_marks

FEWEST_ITEMS_APART = 3
"""Quotations with this many list items are set with one item a line."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words between one pair of quotation marks."""

    text: str
    """As it is shown; runs are parted by ellipses."""
    runs: tuple[str, ...]
    """Each a stretch of the source."""
    twins: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Index of another hit that says the same, and its words as stretches of their source."""


def quotations_of(
    chosen: Sequence[Chosen], source: str, is_asked_for: bool = False
) -> list[Quotation]:
    """Return the quotations of one passage, in the order of its text.

    Statements that other passages repeat are quoted apart, for they carry further citations. Of a
    rule that was asked for, ellipses also show what is left out before and behind them.
    """
    made = [_quotation(list(group), source) for _, group in groupby(chosen, key=_twin_hits)]
    if made and is_asked_for:
        stating = [at for at, one in enumerate(statements_of(source)) if not one.heading]
        first, last = chosen[0].candidate.place, chosen[-1].candidate.place
        if stating and first > stating[0]:
            made[0] = replace(made[0], text=f"{ELLIPSIS} {made[0].text}")
        if stating and last < stating[-1] and not made[-1].text.endswith(ELLIPSIS):
            made[-1] = replace(made[-1], text=f"{made[-1].text} {ELLIPSIS}")
    return made


def _twin_hits(chosen: Chosen) -> tuple[int, ...]:
    return tuple(twin.hit for twin in chosen.twins)


def _quotation(chosen: Sequence[Chosen], source: str) -> Quotation:
    runs: list[list[Piece]] = []
    for quote in chosen:
        pieces = quote.statement.pieces
        for before, index in zip((None, *quote.pieces), quote.pieces, strict=False):
            if before is not None:
                follows = before == index - 1
            else:
                follows = bool(runs) and index == 0 and _joins(runs[-1][-1], pieces[0], source)
            if follows:
                runs[-1].append(pieces[index])
            else:
                runs.append([pieces[index]])
    apart = sum(piece.role == "item" for run in runs for piece in run) >= FEWEST_ITEMS_APART
    last = chosen[-1]
    left_out = last.pieces[-1] != len(last.statement.pieces) - 1
    unfinished = left_out or announces(runs[-1][-1].text)
    text = f" {ELLIPSIS} ".join(_shown(run, apart) for run in runs)
    text = text.replace(f"{ELLIPSIS} \n", f"{ELLIPSIS}\n")
    twins: dict[int, tuple[str, ...]] = {}
    for twin in (twin for quote in chosen for twin in quote.twins):
        twins[twin.hit] = (*twins.get(twin.hit, ()), *twin.unit.stretches)
    return Quotation(
        f"{text} {ELLIPSIS}" if unfinished else text,
        tuple(stretch for run in runs for stretch in stretches_of(run)),
        tuple(twins.items()),
    )


def _joins(last: Piece, first: Piece, source: str) -> bool:
    """Return whether a statement directly follows another one; a heading may be between them.

    Behind a clause that announces a list in passages of its own comes what it does not announce.
    """
    if last.role == "lead" and announces(last.text):
        return False
    if last.role == "row":
        # What follows a table follows its mark; another table is shown apart.
        return first.role != "row" and f"{last.text} {first.text}" in fold(without_marks(source))
    return f"{last.text} {first.text}" in fold(source)


def _shown(run: Sequence[Piece], apart: bool) -> str:
    parts: list[str] = []
    for before, piece in zip((None, *run), run, strict=False):
        beside_list = "item" in (piece.role, before.role if before else "")
        if piece.role == "row" or (apart and beside_list):
            gap = "\n" + "  " * piece.depth
        else:
            gap = "" if before is None else "\n" if before.role == "row" else " "
        parts.append(gap + (piece.cells or piece.text))
    return "".join(parts)
