"""RePASs of an answer: sentences in, four figures out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rirag_workbench.evaluation.answers.repass.arithmetic import (
    Scores,
    obligation_coverage,
    strongest,
)
from search.errors import ModelError
from search.models.classifiers import Classifier, load_classifier

NLI = "cross-encoder/nli-deberta-v3-xsmall"
COVERAGE = "microsoft/deberta-large-mnli"
OBLIGATIONS = "obligation-classifier-legalbert"
"""The models of the reference implementation; the last is a folder that its authors trained."""

RULES = "rules"
"""Name of the classifier of obligations that goes by their wording."""

IsObligation = Callable[[Sequence[str]], Sequence[bool]]
"""Returns for each sentence whether it is an obligation."""


@dataclass(frozen=True)
class RePASs:
    """The measure with its three models."""

    nli: Classifier
    coverage: Classifier
    is_obligation: IsObligation
    obligations: str
    """Name of what finds obligations."""

    def __post_init__(self) -> None:
        for model in (self.nli, self.coverage):
            if not {"entailment", "contradiction"} <= set(model.labels):
                raise ModelError(
                    f"{model.name} has the labels {', '.join(model.labels)}; RePASs "
                    "needs a model with entailment and contradiction."
                )

    @property
    def title(self) -> str:
        """The name of its figures: RePASs with the models of the reference, else with which."""
        names = (self.nli.name, self.coverage.name, self.obligations)
        if names[:2] == (NLI, COVERAGE) and names[2].rstrip("/").endswith(OBLIGATIONS):
            return "RePASs"
        return f"RePASs with {', '.join(dict.fromkeys(names))}"

    def of(self, passages: Sequence[str], answer: str) -> Scores | None:
        """Return the figures of an answer; None for an empty one, which the reference skips."""
        said = sentences(answer)
        if not said:
            return None
        source = sentences(" ".join(passages))
        pairs = [(premise, hypothesis) for premise in source for hypothesis in said]
        rows = self.nli.probabilities(pairs) if pairs else np.zeros((0, len(self.nli.labels)))
        shape = (len(source), len(said))
        return Scores(
            strongest(self._column(rows, "entailment").reshape(shape)),
            strongest(self._column(rows, "contradiction").reshape(shape)),
            self._coverage(source, said),
        )

    def _column(self, rows: np.ndarray, label: str) -> np.ndarray:
        column: np.ndarray = rows[:, self.nli.labels.index(label)]
        return column

    def _coverage(self, source: Sequence[str], said: Sequence[str]) -> float:
        marks = self.is_obligation(source)
        obligations = [one for one, is_one in zip(source, marks, strict=True) if is_one]
        texts = [f"{sentence} [SEP] {one}" for one in obligations for sentence in said]
        rows = self.coverage.probabilities(texts)
        best = rows.argmax(axis=1)
        verdicts = [
            (self.coverage.labels[int(column)], float(row[column]))
            for row, column in zip(rows, best, strict=True)
        ]
        each = len(said)
        return obligation_coverage(
            [verdicts[place * each : (place + 1) * each] for place in range(len(obligations))]
        )


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as NLTK's Punkt splits English."""
    from punkt import sent_tokenize

    return list(sent_tokenize(text)) if text.strip() else []


def by_rules(texts: Sequence[str]) -> list[bool]:
    """Return which sentences are obligations, by their wording."""
    from generation.text.obligations import DUTIES, kind_of

    return [kind_of(text) in DUTIES for text in texts]


def by_classifier(model: Classifier) -> IsObligation:
    """Return what asks a classifier of two labels; the second one means an obligation."""

    def is_obligation(texts: Sequence[str]) -> list[bool]:
        if not texts:
            return []
        return [bool(column == 1) for column in model.probabilities(list(texts)).argmax(axis=1)]

    return is_obligation


def load_repass(
    nli: str,
    coverage: str,
    obligations: str,
    load: Callable[[str], Classifier] = load_classifier,
) -> RePASs:
    """Load the measure.

    Args:
        nli: model of entailment between sentences.
        coverage: model that reads an answer sentence and an obligation as one text.
        obligations: `rules`, or a classifier of sentences.
        load: returns a model by its name or folder.
    """
    first = load(nli)
    second = first if coverage == nli else load(coverage)
    if obligations == RULES:
        return RePASs(first, second, by_rules, RULES)
    classifier = load(obligations)
    return RePASs(first, second, by_classifier(classifier), classifier.name)
