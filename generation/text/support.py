"""Finds the words of a passage that a cited statement rests on."""

from __future__ import annotations

from generation.text.citation_styles import cited_numbers
from generation.text.statements.clauses import statements_of
from generation.verify.compare.statements import statements_in
from search.text.analyzer import tokens


def supporting_quote(text: str, number: int, source: str) -> str:
    """Return the sentence of a passage that shares most with what cites it.

    Args:
        text: the answer, its citations unified.
        number: the citation.
        source: the text of the passage it stands for.

    Returns:
        A stretch of the passage, white space folded; empty if nothing is shared.
    """
    citing = [one.text for one in statements_in(text) if number in cited_numbers(one.text)]
    said = set(tokens(" ".join(citing)))
    pieces = [piece.text for statement in statements_of(source) for piece in statement.pieces]
    shares = [len(said & set(tokens(piece))) for piece in pieces]
    best = max(shares, default=0)
    return pieces[shares.index(best)] if best else ""
