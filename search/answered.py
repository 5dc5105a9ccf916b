"""Which passages known questions were answered by, as pairs of question and passage.

Rules that answered one question together often answer the next one together: whoever found one of
them has reason to look at the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from search.records import Key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Together(NamedTuple):
    """What some passages speak for the others; each array has the shape (passages,)."""

    similar: Array
    """Over those passages and the known questions that both answered: the largest product of the
    score and the similarity of the question."""
    share: Array
    """Over those passages: the largest product of the score and the share of the known questions
    answered by it that this one answered too."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """The passages that answered some known questions; each array has the shape (pairs,)."""

    questions: NDArray[np.intp]
    """0-based places in `similarities`."""
    keys: NDArray[np.int64]
    """Of the passages."""
    similarities: Array
    """Of each known question to the asked one, 0 to 1; shape (questions,)."""

    @classmethod
    def of(cls, similarities: Sequence[float], keys: Sequence[Sequence[Key]]) -> Answered:
        """Return the pairs of known questions, each with its similarity and its passages."""
        return cls(
            np.repeat(np.arange(len(keys)), [len(one) for one in keys]),
            np.array([key for one in keys for key in one], np.int64),
            np.array(similarities, np.float64),
        )

    def together(self, keys: NDArray[np.int64], best: Array) -> Together:
        """Return what the first passages speak for all, by the questions they answered together.

        Args:
            keys: of passages, each once; shape (passages,).
            best: scores of the first of them, 0 to 1; shape (at most passages,).
        """
        if not len(self.similarities):
            return Together(np.zeros(len(keys)), np.zeros(len(keys)))
        answers = self._answers(keys)
        heads = answers[:, : len(best)]
        both = heads.T @ answers
        np.fill_diagonal(both, 0.0)
        share = both / np.maximum(heads.sum(axis=0), 1.0)[:, None]
        weighed = self.similarities[:, None] * answers
        similar = (heads.T[:, :, None] * weighed).max(axis=1, initial=0.0)
        np.fill_diagonal(similar, 0.0)
        return Together(
            (best[:, None] * similar).max(axis=0, initial=0.0),
            (best[:, None] * share).max(axis=0, initial=0.0),
        )

    def _answers(self, keys: NDArray[np.int64]) -> Array:
        """Return 1 where a question was answered by a passage, shape (questions, passages)."""
        answers = np.zeros((len(self.similarities), len(keys)))
        if len(keys):
            places, there = _places_of(self.keys, keys)
            answers[self.questions[there], places[there]] = 1.0
        return answers


NOTHING_ANSWERED = Answered.of((), ())
"""Of a question for which no known question was asked."""


def _places_of(
    wanted: NDArray[np.int64], keys: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return where each wanted key stands among others, and whether it does.

    Args:
        wanted: shape (wanted,).
        keys: each once, at least one, in any order.

    Returns:
        Places in `keys`, and which of them hold; both of shape (wanted,).
    """
    order = np.argsort(keys)
    found = np.searchsorted(keys, wanted, sorter=order)
    places = order[np.minimum(found, len(keys) - 1)]
    return places, keys[places] == wanted
