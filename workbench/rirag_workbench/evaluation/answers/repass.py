"""RePASs of answers, and beside it that of answers which it should not like.

After `scripts/evaluate_model.py` of RegNLP/RePASs: every passage sentence is a premise, every
answer sentence a hypothesis. The measure rewards words that are in the passages, whoever wrote
them: an answer made without passages comes close to one made with them (Deußer et al., 2026), and
copying is rewarded most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.evaluation.answers.said import Item
from rirag_workbench.reports.tables import Row, Table
from search.errors import ModelError
from search.models.classifiers import Classifier, load_classifier

COVERS = 0.7
"""An answer sentence covers an obligation if the label is entailment and its score is above."""

DIGITS = 5
"""Decimals to which Es and Cs of an answer are rounded."""


@dataclass(frozen=True, slots=True)
class Scores:
    """RePASs of one answer, or means over several."""

    entailment: float
    """Es, 0 to 1."""
    contradiction: float
    """Cs, 0 to 1."""
    coverage: float
    """OCs, 0 to 1."""

    @property
    def composite(self) -> float:
        """RePASs, 0 to 1."""
        return (self.entailment - self.contradiction + self.coverage + 1) / 3


def strongest(probabilities: NDArray[np.floating]) -> float:
    """Return the mean over answer sentences of the highest probability of any passage sentence.

    Args:
        probabilities: shape (passage sentences, answer sentences).

    Returns:
        Rounded to `DIGITS`; 0 where there is no sentence.
    """
    if probabilities.size == 0:
        return 0.0
    return float(np.round(np.mean(np.max(probabilities, axis=0)), DIGITS))


def obligation_coverage(verdicts: Sequence[Iterable[tuple[str, float]]]) -> float:
    """Return the share of obligations that some answer sentence covers; 0 where there are none."""
    if not verdicts:
        return 0.0
    covered = sum(
        any(label == "entailment" and score > COVERS for label, score in one) for one in verdicts
    )
    return covered / len(verdicts)


def mean_of(scores: Sequence[Scores]) -> Scores:
    """Return the means over at least one answer; the composite of means is the mean composite."""
    count = len(scores)
    return Scores(
        math.fsum(one.entailment for one in scores) / count,
        math.fsum(one.contradiction for one in scores) / count,
        math.fsum(one.coverage for one in scores) / count,
    )


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
    from generation.statements.forces import DUTIES, kind_of

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
    """Load the measure."""
    first = load(nli)
    second = first if coverage == nli else load(coverage)
    if obligations == RULES:
        return RePASs(first, second, by_rules, RULES)
    classifier = load(obligations)
    return RePASs(first, second, by_classifier(classifier), classifier.name)


ANSWERS = "these answers"
COPIED = "the passages copied"
REPEATED = "the question repeated"
CLOSED_BOOK = "answers without passages"

Lines = Mapping[str, Mapping[str, Scores]]
"""Line → question → figures."""


def repass_lines(
    items: Sequence[Item],
    repass: RePASs,
    closed_book: Mapping[str, str] | None = None,
    progress: Progress = lambda: None,
) -> Lines:
    """Return the figures of the answers, and of the lines to hold them against.

    Args:
        items: the answers; as in the reference, empty ones are left out, refusals are answers like
            others, and all three figures of an answer to no passages are 0.
        closed_book: question → an answer made without passages; None: there are none, and the
            question itself is the answer that knows nothing.
    """
    blind = REPEATED if closed_book is None else CLOSED_BOOK
    found: dict[str, dict[str, Scores]] = {ANSWERS: {}, blind: {}, COPIED: {}}
    for item in items:
        passages = list(item.record.kept.values())
        others = closed_book.get(item.key, "") if closed_book is not None else item.record.question
        answers = (item.record.text, others, " ".join(passages))
        for line, answer in zip(found, answers, strict=True):
            scores = repass.of(passages, answer)
            if scores is not None:
                found[line][item.key] = scores
        progress()
    return {line: scores for line, scores in found.items() if scores}


def to_table(title: str, lines: Lines) -> Table:
    """Return a table to read."""
    head = ("Es", "Cs", "OCs", "composite", "answers")
    lead = (
        "Answers without passages and copied passages score close to good answers, so the "
        "composite alone does not rank systems."
    )
    rows: list[Row] = []
    for line, scores in lines.items():
        *figures, answers = _mean_json(scores).values()
        rows.append((line, *(f"{one:.{DIGITS}f}" for one in figures), int(answers)))
    return Table(title, head, rows, lead)


def notes_on(lines: Lines) -> list[str]:
    """Return a note on answers that lack what they should be held against."""
    found, notes = _alone(lines), []
    if found["without_passages"]:
        notes.append(
            f"{found['without_passages']:,} of these answers have no passages; their Es, Cs and "
            "OCs are 0"
        )
    if found["without_closed_book"]:
        notes.append(
            f"{found['without_closed_book']:,} of these answers have none without passages beside "
            "them; give --closed-book with answers to their questions, or add the field Question"
        )
    return notes


def _alone(lines: Lines) -> dict[str, int]:
    """Return how many answers lack what they should be held against."""
    answers, blind = lines.get(ANSWERS, {}), lines.get(CLOSED_BOOK) or lines.get(REPEATED) or {}
    return {
        "without_passages": len(answers.keys() - lines.get(COPIED, {}).keys()),
        "without_closed_book": len(answers.keys() - blind.keys()),
    }


def to_json(title: str, lines: Lines) -> dict[str, object]:
    """Return plain JSON values."""
    return {
        "name": title,
        "lines": {line: _mean_json(scores) for line, scores in lines.items()},
        **_alone(lines),
    }


def _mean_json(scores: Mapping[str, Scores]) -> dict[str, float]:
    mean = mean_of(list(scores.values()))
    return {
        "Es": mean.entailment, "Cs": mean.contradiction, "OCs": mean.coverage,
        "composite": mean.composite, "answers": len(scores),
    }  # fmt: skip
