"""Learned ranking and the calibration of a profile, fitted and kept beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rirag.files import named_hash, write_text
from rirag.inputs.questions import read_questions
from rirag.progress import Stage
from rirag_workbench.evaluation.spread import spread
from rirag_workbench.training.data.keywords import keyword_versions
from rirag_workbench.training.data.questions_to_fit import VERSIONS_OF_EACH, OwnKnown, QuestionToFit
from rirag_workbench.training.data.rarity import Rarity
from rirag_workbench.training.fitted.candidate_samples import (
    CandidateSample,
    ProfileOf,
    Retrievers,
    candidate_samples,
)
from rirag_workbench.training.fitted.learned_fusion_fit import LearnedFit, fit_learned_fusion
from rirag_workbench.training.fitted.learned_fusion_report import LearnedFusionReport
from rirag_workbench.training.fitted.origin import Origin
from rirag_workbench.training.fitted.relevance_fit import (
    FEWEST_QUESTIONS,
    Unanswerable,
    fit_relevance,
)
from rirag_workbench.training.fitted.relevance_report import RelevanceReport
from search.errors import InputError
from search.json_form import Record
from search.pipeline import Pipeline
from search.ranking.learned.learned_fusion import LearnedFusion
from search.ranking.learned.relevance import Relevance
from search.ranking.profiles import Profile

MOST_WORDS_SHORTENED = 20
"""Longer questions without an answer are given no keyword versions: a few words of a long question
do not say what was asked, and the index may well answer them."""


@dataclass(frozen=True, slots=True)
class ModelsRequest:
    """What to fit beside the weights of a profile."""

    profile: Profile
    """The fixed weights."""
    asked: Sequence[QuestionToFit]
    """Questions that the encoder was not trained on, and short ones."""
    own: OwnKnown
    data: Sequence[Mapping[str, Any]] = ()
    """What they came from, with hashes."""
    unanswerable: Sequence[Path] = ()
    """Question files that the index does not answer; none: no calibration is fitted."""
    unanswerable_held_out: Sequence[Path] = ()
    """The same, to report on."""
    seen: frozenset[str] = frozenset()
    """IDs of passages that answer a question the encoder was trained on, reported apart."""


def files_beside(output: Path) -> tuple[Path, Path, Path]:
    """Return the files of the learned ranking, the calibration and its plot beside a profile's."""
    endings = (".learned.json", ".relevance.json", ".relevance.svg")
    learned, relevance, plot = (output.with_suffix(ending) for ending in endings)
    return learned, relevance, plot


@dataclass(frozen=True, slots=True)
class FittedModels(Record):
    """What was fitted, with its reports."""

    learned: LearnedFusion
    learned_report: LearnedFusionReport
    relevance: Relevance | None = None
    relevance_report: RelevanceReport | None = None

    def save(self, profile: Profile, output: Path) -> Profile:
        """Write the models, and a plot of the calibration, beside the file of the profile.

        Returns:
            The profile naming the models, relative to the folder.
        """
        learned, relevance, plot = files_beside(output)
        self.learned.save(learned)
        if self.relevance is None:
            return replace(profile, learned=learned.name, relevance="")
        self.relevance.save(relevance)
        if self.relevance_report is not None:
            write_text(plot, self.relevance_report.to_svg(), "the plot of the calibration")
        return replace(profile, learned=learned.name, relevance=relevance.name)

    json_form = "learned=learned_report.variants relevance=relevance_report"

    def to_table(self) -> str:
        """Return lines to read."""
        parts = [self.learned_report.to_table()]
        if self.relevance_report is not None:
            parts.append(self.relevance_report.to_table())
        return "\n\n".join(parts)


def fit_learned(pipeline: Pipeline, request: ModelsRequest, stage: Stage) -> LearnedFit:
    """Fit the learned ranking; no reranker is asked, for it reads what this step puts first.

    Raises:
        InputError: there are too few questions.
        MissingDependencyError: scikit-learn is not installed.
    """
    pipeline = replace(pipeline, reranker=None)
    ask = _Asking(pipeline, lambda _: request.profile, request.own, stage)
    return fit_learned_fusion(
        ask.all("candidates", request.asked),
        request.profile,
        Origin(pipeline.encoder, documents=pipeline.names.titles),
        request.data,
        request.seen,
        told=ask.told,
    )


def fit_calibration(
    pipeline: Pipeline, request: ModelsRequest, profile_of: ProfileOf, stage: Stage
) -> tuple[Relevance, RelevanceReport]:
    """Fit the calibration to all that a search does before it.

    Args:
        pipeline: with its encoder, its answered questions, and the reranker, if there is one.
        request: what is asked for.
        profile_of: each question's profile, with learned ranking that has not seen it.
        stage: for bars of progress.

    Raises:
        InputError: a file cannot be used, or there are too few questions.
        MissingDependencyError: scikit-learn is not installed.
    """
    reranker = pipeline.reranker.name if pipeline.reranker else ""
    ask = _Asking(pipeline, profile_of, request.own, stage)
    own_words = [one for one in request.asked if one.kind in ("question", "keywords")]
    return fit_relevance(
        ask.all("relevance", own_words),
        [ask.file(path) for path in request.unanswerable],
        [ask.file(path) for path in request.unanswerable_held_out],
        request.profile,
        Origin(pipeline.encoder, reranker, pipeline.names.titles),
        [*request.data, *map(named_hash, (*request.unanswerable, *request.unanswerable_held_out))],
        told=ask.told,
    )


@dataclass(frozen=True, slots=True)
class _Asking:
    """How the questions of every file are put."""

    pipeline: Pipeline
    profile_of: ProfileOf
    own: OwnKnown
    stage: Stage

    def all(
        self, name: str, questions: Sequence[QuestionToFit]
    ) -> list[Mapping[Retrievers, CandidateSample]]:
        progress = self.stage(name, len(questions))
        asked = candidate_samples(self.pipeline, questions, self.profile_of, self.own, progress)
        return list(asked)

    def file(self, path: Path) -> Unanswerable:
        return Unanswerable(path.stem, self.all(path.stem, unanswerable_questions(path)))

    def told(self, what: str) -> None:
        self.stage(what, 1)()


def unanswerable_questions(path: Path) -> list[QuestionToFit]:
    """Read a file of questions that the index does not answer, with their keyword versions.

    Raises:
        InputError: the file cannot be used.
    """
    questions = read_questions(path, judged=False)
    rarity = Rarity.of([one.text for one in questions])
    found = []
    for one in questions:
        found.append(QuestionToFit(one.question_id, one.text, frozenset(), "question"))
        if len(one.text.split()) <= MOST_WORDS_SHORTENED:
            found += [
                QuestionToFit(one.question_id, version.text, frozenset(), "keywords")
                for version in spread(
                    keyword_versions(one.question_id, one.text, rarity), VERSIONS_OF_EACH
                )
            ]
    return found


def refuse_too_few(unanswerable: Sequence[Path]) -> None:
    """Refuse files of questions without an answer that are too few for a calibration.

    Raises:
        InputError: a file cannot be used, or there are too few.
    """
    count = sum(len(unanswerable_questions(path)) for path in unanswerable)
    if unanswerable and count < FEWEST_QUESTIONS:
        raise InputError(
            f"a calibration needs {FEWEST_QUESTIONS} questions that the index does "
            f"not answer, but there are {count} with their keyword versions; give "
            "more.",
            code="training.data",
        )
