"""Judges that run here: a cross-encoder of search, or an entailment model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generation.verify.judges.judging import Judge
from search.messages.arguments import text_or_path
from search.models.defaults import DEFAULT_CROSS_ENCODER
from search.models.entailment import EntailmentModel
from search.models.rerankers import Reranker

CROSS_ENCODER = "cross-encoder"
"""The one that ships with rirag."""

ENTAILMENT = "nli:"
"""Stands before the name of an entailment model."""


class RerankerJudge:
    """Takes the relevance of a passage to a statement for its support.

    That tells a statement about something else from one in other words; what is turned round in
    it a reranker does not see. Its logits were trained with cross-entropy, so that 0 is the border
    between relevant and not: of true statements in the development half of the benchmark four in
    five are above it, of sentences from other passages three in a hundred.
    """

    reads_meaning = False

    def __init__(self, reranker: Reranker) -> None:
        self.name = reranker.name
        self._reranker = reranker

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the logistic function of each pair's score, 0 to 1."""
        return [
            float(1 / (1 + np.exp(-self._reranker.score(statement, [passage])[0])))
            for passage, statement in pairs
        ]


class EntailmentJudge:
    """Asks an NLI model whether the passage entails the statement."""

    reads_meaning = True

    def __init__(self, model: EntailmentModel) -> None:
        self.name = model.name
        self._model = model

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the probability of entailment, 0 to 1."""
        return [float(row[0]) for row in self._model.probabilities(pairs)]


def load_judge(name: str) -> Judge:
    """Load a judge by name.

    Args:
        name: `cross-encoder`, the name of another one, or `nli:MODEL`
            (`search.models.entailment.load_entailment`).

    Raises:
        InputError: there is no such model, or it is none that can judge.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    name = text_or_path(name, "a judge")
    if name.startswith(ENTAILMENT):
        from search.models.entailment import load_entailment

        return EntailmentJudge(load_entailment(name.removeprefix(ENTAILMENT)))
    from search.models.rerankers import load_reranker

    return RerankerJudge(load_reranker(DEFAULT_CROSS_ENCODER if name == CROSS_ENCODER else name))
