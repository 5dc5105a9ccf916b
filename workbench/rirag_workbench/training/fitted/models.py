"""Learned ranking and the calibration of a profile, fitted and kept beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rirag.files import named_hash
from rirag.inputs.questions import read_questions
from rirag.progress import Stage
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import to_text
from rirag_workbench.training.data.questions_to_fit import (
    OwnKnown,
    QuestionToFit,
    with_keyword_versions,
)
from rirag_workbench.training.fitted.candidate_samples import (
    CandidateSample,
    Origin,
    ProfileOf,
    Retrievers,
    candidate_samples,
)
from rirag_workbench.training.fitted.learned_fusion import (
    LearnedFit,
    VariantReport,
    fit_learned_fusion,
)
from rirag_workbench.training.fitted.relevance import FEWEST_QUESTIONS, Asked, fit_relevance
from rirag_workbench.training.fitted.relevance_report import RelevanceReport
from search.json_form import Record
from search.pipeline import Pipeline
from search.ranking.learned.learned_fusion import LearnedFusion
from search.ranking.learned.relevance import Relevance
from search.ranking.profiles import Profile

MOST_WORDS_SHORTENED = 20
"""Longer questions without an answer are given no keyword versions: a few words of a long question
do not say what was asked, and the index may well answer them."""


def files_beside(output: Path) -> tuple[Path, Path]:
    """Return the files of the learned ranking and of the calibration beside a profile's."""
    return output.with_suffix(".learned.json"), output.with_suffix(".relevance.json")


@dataclass(frozen=True, slots=True)
class FittedModels(Record):
    """What was fitted, with its reports."""

    learned: LearnedFusion
    learned_report: tuple[VariantReport, ...]
    relevance: Relevance | None = None
    relevance_report: RelevanceReport | None = None

    def save(self, profile: Profile, output: Path) -> Profile:
        """Write the models beside the file of the profile.

        Returns:
            The profile naming the models, relative to the folder.
        """
        learned, relevance = files_beside(output)
        self.learned.save(learned)
        if self.relevance is None:
            return replace(profile, learned=learned.name, relevance="")
        self.relevance.save(relevance)
        return replace(profile, learned=learned.name, relevance=relevance.name)

    json_form = "learned=learned_report relevance=relevance_report"

    def to_table(self) -> str:
        """Return lines to read."""
        learned = to_text(table for one in self.learned_report for table in one.tables())
        if self.relevance_report is None:
            return learned
        return f"{learned}\n\n{self.relevance_report.to_table()}"


@dataclass(frozen=True, slots=True)
class Ground:
    """What every fit of a profile rests on: who is asked, and what."""

    pipeline: Pipeline
    """With its encoder, its answered questions, and the reranker, if there is one."""
    asked: Sequence[QuestionToFit]
    """Questions that the encoder was not trained on, and short ones."""
    own: OwnKnown
    data: Sequence[Mapping[str, Any]]
    """What they came from, with hashes."""
    stage: Stage
    """For bars of progress."""

    def fit_learned(self, profile: Profile) -> LearnedFit:
        """Fit the learned ranking; no reranker is asked, for it reads what this step puts first."""
        ground = replace(self, pipeline=replace(self.pipeline, reranker=None))
        return fit_learned_fusion(
            ground._samples("candidates", self.asked, lambda _: profile),
            profile,
            Origin(self.pipeline.encoder, documents=self.pipeline.names.titles),
            self.data,
            told=self._told,
        )

    def fit_calibration(
        self,
        profile: Profile,
        profile_of: ProfileOf,
        unanswerable: Sequence[Path],
        held_out: Sequence[Path],
    ) -> tuple[Relevance, RelevanceReport]:
        """Fit the calibration to all that a search does before it."""
        pipeline = self.pipeline
        reranker = pipeline.reranker.name if pipeline.reranker else ""

        def asked(files: Sequence[Path]) -> list[Asked]:
            return [
                (path.stem, one)
                for path in files
                for one in self._samples(path.stem, unanswerable_questions(path), profile_of)
            ]

        return fit_relevance(
            self._samples("relevance", self.asked, profile_of),
            asked(unanswerable),
            asked(held_out),
            profile,
            Origin(pipeline.encoder, reranker, pipeline.names.titles),
            [*self.data, *map(named_hash, (*unanswerable, *held_out))],
            told=self._told,
        )

    def _samples(
        self, name: str, questions: Sequence[QuestionToFit], profile_of: ProfileOf
    ) -> list[Mapping[Retrievers, CandidateSample]]:
        progress = self.stage(name, len(questions))
        return list(candidate_samples(self.pipeline, questions, profile_of, self.own, progress))

    def _told(self, what: str) -> None:
        self.stage(what, 1)()


def unanswerable_questions(path: Path) -> list[QuestionToFit]:
    """Read a file of questions that the index does not answer, with their keyword versions."""
    questions = read_questions(path, judged=False)
    texts = {one.question_id: one.text for one in questions}
    nothing = dict.fromkeys(texts, frozenset[str]())
    return [
        one
        for one in with_keyword_versions(texts, nothing)
        if one.kind == "question" or len(texts[one.question_id].split()) <= MOST_WORDS_SHORTENED
    ]


def refuse_too_few(unanswerable: Sequence[Path]) -> None:
    """Refuse files of questions without an answer that are too few for a calibration."""
    count = sum(len(unanswerable_questions(path)) for path in unanswerable)
    if unanswerable and count < FEWEST_QUESTIONS:
        raise unusable(
            "training.data/calibration-unanswerable", fewest_questions=FEWEST_QUESTIONS, count=count
        )
