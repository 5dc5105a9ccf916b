"""The weights of passages and their shares of a context: C = Σ wᵢ·Pᵢ (BDD-FinLegal, eq. 4).

For text the sum means: a passage of weight w gets the share w of the tokens that there are for
passages, and the passages are in the order of their weights. What a short passage leaves of its
share goes to the others, again by weight, so that nothing is cut while there is room.
"""

from __future__ import annotations

from collections.abc import Sequence

from generation.llm.protocol import estimate_tokens
from generation.text.sentences import sentence_pieces
from search.records import Hit

CUT_MARK = "[…]"
"""Stands where the rest of a passage was left out."""


def weights_of(hits: Sequence[Hit]) -> list[float]:
    """Return the weight of each hit: its relevance, or its score, divided by the sum of all.

    Relevance counts only where every hit has one; the two are not comparable. Weights are at least
    0 and add up to 1; a score below 0 counts as 0, and where no score is above it they are equal.
    """
    by_relevance = weighed_by(hits) == "relevance"
    scores = [(hit.relevance or 0.0) if by_relevance else hit.score for hit in hits]
    floored = [max(score, 0.0) for score in scores]
    total = sum(floored)
    return [score / total if total else 1 / len(hits) for score in floored]


def weighed_by(hits: Sequence[Hit]) -> str:
    """Return what the weights of hits are made from: `relevance` or `score`."""
    return "score" if any(hit.relevance is None for hit in hits) else "relevance"


def shares_of(weights: Sequence[float], needs: Sequence[int], budget: int) -> list[int]:
    """Divide a budget by weight among passages of which none takes more than it needs.

    The weights add up to 1, and the tokens for each never to more than the budget.
    """
    shares = [0] * len(needs)
    open_ = [place for place, need in enumerate(needs) if need > 0]
    left = max(budget, 0)
    while open_:
        total = sum(weights[place] for place in open_) or 1.0
        offered = {place: int(left * weights[place] / total) for place in open_}
        full = [place for place in open_ if needs[place] <= offered[place]]
        for place in full or open_:
            shares[place] = min(needs[place], offered[place])
        if not full:
            break
        left -= sum(shares[place] for place in full)
        open_ = [place for place in open_ if place not in full]
    return shares


def cut_to(text: str, tokens: int) -> str:
    """Return as many whole sentences or lines of a text as fit, with `CUT_MARK` where it ends.

    Empty if not even the first one fits.
    """
    if estimate_tokens(text) <= tokens:
        return text
    kept, left = [], tokens - estimate_tokens(CUT_MARK) - 1
    for piece in sentence_pieces(text):
        left -= estimate_tokens(piece)
        if left < 0:
            break
        kept.append(piece)
    start = "".join(kept).strip()
    return f"{start} {CUT_MARK}" if start else ""
