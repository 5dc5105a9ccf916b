"""Finds the words of a passage that a cited statement rests on."""

from __future__ import annotations

from collections.abc import Sequence

from generation.text.citation_styles import cited_numbers
from generation.text.statements.clauses import statements_of
from generation.verify.compare.statements import Spoken
from search.text.analyzer import term_set


def supporting_quote(said: Sequence[Spoken], number: int, source: str) -> str:
    """Return the sentence of a passage that shares most with what cites it.

    Args:
        said: the statements of the answer.
        number: the citation.
        source: the text of the passage it stands for.

    Returns:
        A stretch of the passage, white space folded; empty if nothing is shared.
    """
    wanted = term_set(" ".join(one.text for one in said if number in cited_numbers(one.text)))
    pieces = [piece.text for statement in statements_of(source) for piece in statement.pieces]
    shares = [len(wanted & term_set(piece)) for piece in pieces]
    best = max(shares, default=0)
    return pieces[shares.index(best)] if best else ""
