"""Which passages answered questions were answered by, as pairs of question and passage.

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
    """Over those passages and the answered questions that both answered: the largest product of the
    score and the similarity of the question."""
    share: Array
    """Over those passages: the largest product of the score and the share of the answered questions
    answered by it that this one answered too."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """The passages that answered some answered questions; each array has the shape (pairs,)."""

    questions: NDArray[np.intp]
    """0-based places in `similarities`."""
    keys: NDArray[np.int64]
    """Of the passages."""
    similarities: Array
    """Of each answered question to the asked one, 0 to 1; shape (questions,)."""

    @classmethod
    def of(cls, similarities: Sequence[float], keys: Sequence[Sequence[Key]]) -> Answered:
        """Return the pairs of answered questions, each with its similarity and its passages."""
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
        similar, share = np.zeros(len(keys)), np.zeros(len(keys))
        if not (len(self.similarities) and len(keys)):
            return Together(similar, share)
        places, answers = self._answers(keys)
        speaking = np.searchsorted(places, len(best))
        heads, score = answers[:, :speaking].T, best[places[:speaking], None]
        both = heads @ answers / heads.sum(axis=1, keepdims=True)
        nearest = (heads[:, :, None] * (self.similarities[:, None] * answers)).max(axis=1)
        for said, column in ((nearest, similar), (both, share)):
            np.fill_diagonal(said, 0.0)
            column[places] = (score * said).max(axis=0, initial=0.0)
        return Together(similar, share)

    def _answers(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.intp], Array]:
        """Return the places of the passages that answered any question, in order, and 1 where a
        question was answered by one of them, shape (questions, these passages).
        """
        places, there = _places_of(self.keys, keys)
        answered = np.unique(places[there])
        answers = np.zeros((len(self.similarities), len(answered)))
        answers[self.questions[there], np.searchsorted(answered, places[there])] = 1.0
        return answered, answers


NOTHING_ANSWERED = Answered.of((), ())
"""Of a question for which no similar one was looked up."""


def _places_of(
    wanted: NDArray[np.int64], keys: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return where each wanted key is among others, and whether it does.

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
