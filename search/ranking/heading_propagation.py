"""What headings lend to the passages behind them.

A heading says in a few words what the passages below it are about, often in the very words of the
question, and these do not say it again: "Article 9 Risk management system", and then paragraphs on
"that system". So a share of what the retrievers say of a heading is added to the passages behind
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

HEADING_REACH = 10
"""Passages behind a heading that it lends to, the first of them all of its score, each further one
a tenth less: what is far behind is as a rule below another heading, which no retriever proposed."""


class Lenders(NamedTuple):
    """The last proposed heading before each candidate; both arrays have the shape (candidates,)."""

    places: NDArray[np.intp]
    """Of the headings among the candidates; the candidate's own where there is none."""
    nearness: Array
    """1 for the passage right behind its heading, falling to 0; 0 where there is none."""

    def lent(self, scores: Array) -> Array:
        """Return what each candidate takes over, from the scores of all; shape (…, candidates)."""
        return np.asarray(scores[..., self.places] * self.nearness)


def lenders(
    keys: NDArray[np.int64], documents: NDArray[np.intp], headings: NDArray[np.bool_]
) -> Lenders:
    """Return the heading that each candidate comes after, in its document.

    Args:
        keys: of the candidates: within a document they count its passages.
        documents: a number for each candidate's document.
        headings: which candidates are only headings; these take nothing over.
    """
    order = keys.argsort(kind="stable")
    at = np.arange(len(keys))
    last = np.maximum.accumulate(np.where(headings[order], at, 0))
    places = np.empty_like(order)
    places[order] = order[last]
    behind = keys - keys[places]
    lends = headings[places] & ~headings & (documents == documents[places])
    lends &= (behind > 0) & (behind <= HEADING_REACH)
    nearness = np.where(lends, 1 - (behind - 1) / HEADING_REACH, 0.0)
    return Lenders(np.where(lends, places, at), nearness)
