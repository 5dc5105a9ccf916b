"""A whole ablation: questions read, and every way to search measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rirag.files import sha256_of
from rirag.inputs.gold import missing_notes
from rirag.progress import Stage
from rirag_workbench.ablation.measuring import AS_ASKED, Asked, Measured, Way, measure, read_asked
from rirag_workbench.ablation.report import Ablation, row_of
from rirag_workbench.ablation.variants import Components, variants
from rirag_workbench.evaluation.retrieval.run import told
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.questions_to_fit import own_answered_questions
from search.index import Index
from search.ranking.profile_file import DEFAULT_PROFILE
from search.ranking.profiles import Profile
from search.ranking.steps.ordering.learned_order import ASIDE
from search.records import Passage


@dataclass(frozen=True, slots=True)
class AblationRequest:
    """What to measure."""

    questions: Path
    profile: Profile
    """Of the whole pipeline."""
    command: str
    training: Sequence[Path] = ()
    """Question or pair files that the encoder was trained on."""
    keywords: bool = True
    """Whether keyword versions are asked as well."""
    sample: int | None = None
    """Ask so many questions of the file only."""


def run_ablation(
    index: Index, untrained: Index | None, request: AblationRequest, stage: Stage
) -> Ablation:
    """Measure what each component is worth."""
    passages = index.passages()
    if untrained is not None:
        _refuse_other_passages(untrained, passages)
    encoder = index.pipeline.encoder.name
    asked = read_asked(
        request.questions, passages, encoder, request.training,
        keywords=request.keywords, sample=request.sample,
    )  # fmt: skip
    have = _components(index, untrained, request.profile)
    compared = variants(have, asked.words)
    own = own_answered_questions(asked.questions, index.answered_questions())
    ways = [Way(variant, index, own) for variant in compared if not variant.untrained]
    if untrained is not None:
        known = own_answered_questions(asked.questions, untrained.answered_questions())
        ways += [Way(variant, untrained, known) for variant in compared if variant.untrained]
    ways.sort(key=lambda way: compared.index(way.variant))
    progress = stage(f"searching in {len(ways)} variants", len(ways) * len(asked.questions))
    measured = measure(ways, asked.questions, progress)
    groups = asked.groups()
    return Ablation(
        request.command,
        _facts(index, request, asked, have, len(own)),
        tuple(row_of(one, measured[0], groups) for one in measured),
        tuple(_noted(measured, asked.missing)),
    )


def _refuse_other_passages(untrained: Index, passages: Sequence[Passage]) -> None:
    other = {passage.id for passage in untrained.passages()} ^ {one.id for one in passages}
    if other:
        raise unusable("index.other-passages/untrained", url=untrained.url, count=len(other))


def _noted(measured: Sequence[Measured], missing: int) -> list[str]:
    """Return what to know of the searches, a sentence each."""
    full, sentences = measured[0], []
    reasons = [one for one, _ in full.stood_aside.most_common() if one.startswith(ASIDE)]
    if reasons and not full.learned:
        reason = reasons[0].removeprefix(ASIDE)
        sentences.append(f"Learned ranking was not used in any search: {reason}.")
    notes: Counter[str] = Counter()
    for one in measured:
        notes.update(one.notes)
    searches = sum(len(one.milliseconds) for one in measured)
    return sentences + [f"{note}." for note in (*missing_notes(missing), *told(notes, searches))]


def _components(index: Index, untrained: Index | None, profile: Profile) -> Components:
    reranker = index.pipeline.reranker
    return Components(
        profile=profile,
        reranker=reranker.name if reranker else None,
        answered_questions=len(index.answered_questions()),
        untrained_profile=untrained.pipeline.profile(DEFAULT_PROFILE) if untrained else None,
    )


def _facts(
    index: Index, request: AblationRequest, asked: Asked, have: Components, same: int
) -> dict[str, str]:
    about = index.describe()
    count = len(asked.groups()[AS_ASKED])
    file = request.questions
    known = f"{have.answered_questions:,}"
    if same:
        known += f", without the {same} that are asked"
    return {
        "questions": f"{count:,} of {file.name} (SHA-256 {sha256_of(file)[:16]})",
        "keyword versions": f"{len(asked.questions) - count:,}",
        "passages": f"{about.passages:,} of {about.documents:,} documents, {about.engine}",
        "encoder": f"{Path(about.encoder.name).name} (revision {about.encoder.revision})",
        "profile": request.profile.name,
        "reranker": have.reranker or "none",
        "answered questions": known,
    }
