"""What a model says where the words alone decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from generation.verification import Finding
from generation.verify.checks.support import Checked
from generation.verify.margins import JUDGES
from search.errors import ModelError, RiragError
from search.messages.arguments import text_or_path
from search.models.classifiers import EntailmentModel
from search.models.defaults import DEFAULT_CROSS_ENCODER
from search.models.rerankers import Reranker

_WORDING = {"words", "unchecked", "force"}
"""Doubts that a model which understands the statement can settle."""


class Judge(Protocol):
    """A model that decides whether a passage supports a statement."""

    @property
    def name(self) -> str:
        """What it is called in the report."""
        ...

    @property
    def reads_meaning(self) -> bool:
        """Whether it is asked also where hardly a word is shared, or the modal verb differs."""
        ...

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return for each (words of the passage, statement) how well it is supported, 0 to 1."""
        ...


def ask(checked: Sequence[Checked], judge: Judge) -> tuple[str, str]:
    """Let a judge decide on the statements that only their words leave in doubt.

    What is wrong in a number, a quotation, a negation or a citation stays wrong. Return its name,
    empty if it failed and changed nothing; and what went wrong, as a sentence.
    """
    name = str(getattr(judge, "name", type(judge).__name__))
    try:
        waiting = [one for one in checked if is_open(one, judge.reads_meaning)]
        opinions = _opinions(judge, [pair_of(one) for one in waiting]) if waiting else []
    except Exception as error:  # a judge of the user's own may fail in any way
        told = str(error) if isinstance(error, RiragError) else f"{type(error).__name__}: {error}"
        return "", f"The judge {name} failed, so nothing was judged: {told}"
    for one, opinion in zip(waiting, opinions, strict=True):
        settle(one, opinion >= JUDGES.supports, f"{name} gives {opinion:.2f} of 1")
    return name, ""


def _opinions(judge: Judge, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return what a judge says of each pair."""
    opinions = [float(one) for one in judge.support(pairs)]
    if len(opinions) != len(pairs):
        raise ModelError(
            f"it returned {len(opinions)} opinions for {len(pairs)} statements.",
            code="judge.failed",
        )
    for opinion in opinions:
        if not 0 <= opinion <= 1:
            raise ModelError(
                f"its opinion of {opinion:g} is not between 0 and 1.", code="judge.failed"
            )
    return opinions


def is_open(one: Checked, reads_meaning: bool) -> bool:
    """Return whether nothing but its wording speaks against a statement."""
    if not one.windows:
        return False
    wrong = {finding.kind for finding in one.wrong}
    doubts = {finding.kind for finding in one.doubts}
    if reads_meaning:
        return bool(wrong | doubts) and wrong <= {"words"} and doubts <= _WORDING
    return not wrong and doubts == {"words"}


def pair_of(one: Checked) -> tuple[str, str]:
    """Return the nearest words of the passages, and the statement without its citations."""
    texts = [window.text or window.source.folded for window in one.windows]
    return " ".join(texts), one.spoken.claim


def settle(one: Checked, supported: bool, opinion: str) -> None:
    """Take a judge's opinion in."""
    if supported:
        one.notes += [*one.wrong, *one.doubts, Finding("judge", f"Supported: {opinion}.")]
        one.wrong.clear()
        one.doubts.clear()
    else:
        one.wrong.append(Finding("judge", f"Not supported: {opinion}."))


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
            (`search.models.classifiers.load_entailment`).

    Raises:
        InputError: there is no such model, or it is none that can judge.
        MissingDependencyError: its library is not installed.
        ModelError: it cannot be loaded.
    """
    name = text_or_path(name, "a judge")
    if name.startswith(ENTAILMENT):
        from search.models.classifiers import load_entailment

        return EntailmentJudge(load_entailment(name.removeprefix(ENTAILMENT)))
    from search.models.rerankers import load_reranker

    return RerankerJudge(load_reranker(DEFAULT_CROSS_ENCODER if name == CROSS_ENCODER else name))
