"""Makes quotations of the pieces chosen from one passage: joined, with ellipses at clause borders.

Every run of words between two ellipses is a stretch of the passage's text, white space folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from generation.extract.clauses import Piece, fold
from generation.extract.selection import Chosen

ELLIPSIS = "[…]"
"""Stands where clauses of the source are left out."""

FEWEST_ITEMS_APART = 3
"""Quotations with this many list items are set with one item a line."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words between one pair of quotation marks."""

    text: str
    """As it is shown; runs are parted by ellipses."""
    runs: tuple[str, ...]
    """Each a stretch of the source."""
    twins: tuple[tuple[int, str], ...] = ()
    """Index of another hit that says the same, and its words."""


def quotations_of(chosen: Sequence[Chosen], source: str) -> list[Quotation]:
    """Return the quotations of one passage, in the order of its text.

    Statements that other passages repeat are quoted apart, for they carry further citations.
    """
    folded = fold(source)
    found = []
    for _, group in groupby(chosen, key=_twin_hits):
        found.append(_quotation(list(group), folded))
    return found


def _twin_hits(chosen: Chosen) -> tuple[int, ...]:
    return tuple(twin.hit for twin in chosen.candidate.twins)


def _quotation(chosen: Sequence[Chosen], folded: str) -> Quotation:
    runs: list[list[Piece]] = []
    for quote in chosen:
        pieces = quote.candidate.statement.pieces
        for before, index in zip((None, *quote.pieces), quote.pieces, strict=False):
            follows = before == index - 1 if before is not None else bool(runs) and index == 0
            joined = [*runs[-1], pieces[index]] if follows else []
            # Between two statements a heading or a table mark may stand: then they do not join.
            if joined and _text(joined) in folded:
                runs[-1] = joined
            else:
                runs.append([pieces[index]])
    apart = sum(piece.role == "item" for run in runs for piece in run) >= FEWEST_ITEMS_APART
    last = chosen[-1]
    unfinished = last.pieces[-1] != len(last.candidate.statement.pieces) - 1
    text = f" {ELLIPSIS} ".join(_shown(run, apart) for run in runs)
    if apart:
        text = text.replace(f"{ELLIPSIS} \n", f"{ELLIPSIS}\n")
    twins = {t.hit: t.statement.text for quote in chosen for t in quote.candidate.twins}
    return Quotation(
        f"{text} {ELLIPSIS}" if unfinished else text, tuple(map(_text, runs)), tuple(twins.items())
    )


def _text(run: Sequence[Piece]) -> str:
    return " ".join(piece.text for piece in run)


def _shown(run: Sequence[Piece], apart: bool) -> str:
    parts: list[str] = []
    for piece in run:
        own_line = apart and piece.role != "lead"
        gap = "\n" + "  " * piece.depth if own_line else " " if parts else ""
        parts.append(gap + piece.text)
    return "".join(parts)
