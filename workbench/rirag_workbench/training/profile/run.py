"""A whole fit of a profile: questions read, retrievers run, weights chosen, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rirag.files import sha256_of
from rirag.inputs.gold import Resolve, resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag.progress import Stage
from rirag_workbench.evaluation.statistics import spread
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.questions_to_fit import (
    QuestionToFit,
    own_answered_questions,
    with_keyword_versions,
)
from rirag_workbench.training.data.trained_on import TrainedOn
from rirag_workbench.training.fitted.candidate_samples import (
    ProfileOf,
    held_out_profile,
)
from rirag_workbench.training.fitted.models import FittedModels, Ground, refuse_too_few
from rirag_workbench.training.profile.fit import (
    OVERALL,
    FittedProfile,
    RerankFit,
    default_weights,
    fit_profile,
)
from rirag_workbench.training.profile.grid import Grid, samples_of
from rirag_workbench.training.profile.rerank_fit import fit_rerank, rerank_samples
from search.index import Index
from search.json_form import Record
from search.models.encoders.protocol import Encoder
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import Passage

COMPARED = ("default", "bdd-finlegal", "even", "lexical", "dense")
"""Profiles that every fit is held against."""


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """What to fit, and on what."""

    files: Sequence[Path]
    """Question files."""
    name: str
    before: Profile
    """What the result is held against; it also gives what is not fitted."""
    rerank_questions: int = 300
    """How many questions a reranker is asked."""
    learned: bool = False
    """Whether learned ranking is fitted as well."""
    training: Sequence[Path] = ()
    """Files that the encoder was trained on: their questions are left out."""
    unanswerable: Sequence[Path] = ()
    """Questions that nothing in the index answers; none: no relevance is calibrated."""
    unanswerable_held_out: Sequence[Path] = ()
    """The same, to report on."""


@dataclass(frozen=True, slots=True)
class FittedFile:
    """A question file, and what of it was used."""

    file: str
    sha256: str
    questions: int
    trained_on: int
    """Left out, for the encoder was trained on them."""
    used: int
    """Without those the encoder was trained on, repetitions, and those nothing of the index
    answers."""

    def to_line(self) -> str:
        """Return a line to read."""
        left_out = f"; the encoder was trained on {self.trained_on}" if self.trained_on else ""
        return f"{self.file}: {self.used} of {self.questions} questions used{left_out}"


@dataclass(frozen=True, slots=True)
class ProfileReport(Record):
    """The profile and how it was found."""

    profile: Profile
    fitted: FittedProfile
    data: tuple[FittedFile, ...]
    models: FittedModels | None = None
    """Learned ranking and the calibration, if they were asked for."""

    json_form = "profile data fitted.* models"

    def to_table(self) -> str:
        """Return lines to read."""
        used = [one.to_line() for one in self.data]
        models = [] if self.models is None else ["", self.models.to_table()]
        return "\n".join([*used, "", self.fitted.to_table(), *models])


def run_profile_fit(index: Index, request: ProfileRequest, stage: Stage) -> ProfileReport:
    """Fit a profile to an index."""
    # What is wrong with them is reported before the long work.
    refuse_too_few(request.unanswerable)
    for file in request.unanswerable_held_out:
        read_questions(file, judged=False)
    _refuse_files_given_as_both(request)
    pipeline = index.pipeline
    passages = index.passages()
    resolve = resolver(passages)
    trained = TrainedOn.read(pipeline.encoder.name).with_files(request.training, resolve)
    asked, data = _read(request.files, passages, resolve, trained)
    own = own_answered_questions(asked, index.answered_questions())
    ground = Ground(pipeline, asked, own, [asdict(one) for one in data], stage)
    fitted = _fit(ground, request)
    profile = _profile(fitted, request, data, pipeline.encoder)
    learned = ground.fit_learned(profile) if request.learned else None
    with TemporaryDirectory() as folder:
        models = learned.held_out if learned else ()
        held_out = held_out_profile(profile, models, Path(folder))
        fitted = replace(fitted, rerank=_fit_rerank(ground, request.rerank_questions, held_out))
        weighed = _profile(fitted, request, data, pipeline.encoder)
        relevance = None
        if learned and request.unanswerable:
            relevance = ground.fit_calibration(
                profile, held_out_profile(weighed, models, Path(folder)),
                request.unanswerable, request.unanswerable_held_out,
            )  # fmt: skip
    found = FittedModels(learned.model, learned.report, *(relevance or ())) if learned else None
    return ProfileReport(weighed, fitted, data, found)


def _refuse_files_given_as_both(request: ProfileRequest) -> None:
    roles: dict[str, Sequence[Path]] = {
        "questions that the index answers": request.files,
        "--unanswerable": request.unanswerable,
        "--unanswerable-held-out": request.unanswerable_held_out,
    }
    first: dict[str, str] = {}
    for role, files in roles.items():
        for file in (one for one in files if one.is_file()):
            other = first.setdefault(sha256_of(file), role)
            if other != role:
                raise unusable("training.data/both", file, other=other, role=role)


def _read(
    files: Sequence[Path], passages: Sequence[Passage], resolve: Resolve, trained: TrainedOn
) -> tuple[list[QuestionToFit], tuple[FittedFile, ...]]:
    texts: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    data = []
    known = {passage.id for passage in passages}
    for file in files:
        hashed = sha256_of(file) if file.is_file() else ""
        questions = read_questions(file)
        unseen = trained.unseen(questions, hashed)
        if not unseen:
            raise unusable("training.data/all-trained-on", file)
        judged = resolve_gold(unseen, resolve, file)
        _refuse_others(judged.texts, texts, file)
        fresh = [one for one in judged.texts if one not in texts and judged.relevant[one] & known]
        texts.update({one: judged.texts[one] for one in fresh})
        relevant.update({one: judged.relevant[one] for one in fresh})
        left_out = len(questions) - len(unseen)
        data.append(FittedFile(file.name, hashed, len(questions), left_out, len(fresh)))
    return list(with_keyword_versions(texts, relevant)), tuple(data)


def _refuse_others(texts: Mapping[str, str], before: Mapping[str, str], file: Path) -> None:
    """Refuse questions of a file that have the IDs of others of the files before it."""
    for one, text in texts.items():
        if before.get(one, text).split() != text.split():
            raise unusable("training.data/other-text", file, one=one)


def _fit(ground: Ground, request: ProfileRequest) -> FittedProfile:
    pipeline, asked, before = ground.pipeline, ground.asked, request.before
    progress = ground.stage("searching", len(asked))
    samples = samples_of(pipeline, asked, before, ground.own, progress)
    weights = default_weights(before, memory=pipeline.answered_questions is not None)
    others = [load_profile(name) for name in COMPARED if name != before.name]
    return fit_profile(Grid.of(samples, weights, [before, *others]), before.name)


def _profile(
    fitted: FittedProfile, request: ProfileRequest, data: Sequence[FittedFile], encoder: Encoder
) -> Profile:
    source = _source(fitted, data, encoder.name)
    return replace(
        fitted.to_profile(request.before, request.name, source),
        encoder=_short(encoder.name),
        encoder_revision=encoder.revision,
    )


def _fit_rerank(ground: Ground, questions: int, profile_of: ProfileOf) -> RerankFit | None:
    reranker = ground.pipeline.reranker
    if reranker is None:
        return None
    some = spread(ground.asked, questions)
    progress = ground.stage("reranking", len(some))
    samples = list(
        rerank_samples(ground.pipeline, reranker, some, profile_of, ground.own, progress)
    )
    return fit_rerank(samples, reranker.name) if samples else None


def _source(fitted: FittedProfile, data: Sequence[FittedFile], encoder: str) -> str:
    """Return where the numbers come from, in a sentence that identifies the data."""
    files = ", ".join(
        f"{one.file} ({one.used} questions, SHA-256 {one.sha256[:16]})" for one in data
    )
    asked = fitted.parts.get("question", fitted.parts[OVERALL])
    return (
        f"Fitted by rirag train profile for {_short(encoder)}, to {files} and short questions made "
        f"of them; by cross-validation R@10 {asked.after.recall:.4f} and AP@10 "
        f"{asked.after.average_precision:.4f} on the questions as they were asked (before: "
        f"{asked.before.recall:.4f} and {asked.before.average_precision:.4f})."
    )


def _short(encoder: str) -> str:
    """Return the name of an encoder without the folders it lies in."""
    return Path(encoder).name if Path(encoder).is_absolute() else encoder
