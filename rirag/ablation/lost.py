"""Where the right passage is lost on its way through the pipeline, by depth of the legs.

The fixed weights decide at every depth: a learned step holds at the depth it was fitted to only,
and would be compared with the weights at all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rirag.progress import Progress
from rirag.training.data.questions_to_fit import OwnKnown, QuestionToFit
from search.index import Index
from search.pipeline import Found, Pipeline
from search.ranking.profiles import Profile
from search.records import Filters, Key

DEPTHS = (50, 100, 200, 400)
SHOWN = 10
"""A passage below this rank counts as lost, as R@10 does."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Shares of all right passages, which add up to 1, at one depth of the legs."""

    depth: int
    passages: int
    """Right passages in all, counted once for each question."""
    in_no_leg: float
    """Proposed by no leg and by no known question."""
    in_fusion: float
    """Proposed, but too low in the order: the reranker does not read it, or where there
    is none, it is not among the first `SHOWN`."""
    in_rerank: float
    """Read by the reranker, and not put among the first `SHOWN`."""
    found: float
    """Among the first `SHOWN`: not the mean recall over questions, for each passage counts alike
    here."""


def lost_passages(
    index: Index, questions: Sequence[QuestionToFit], profile: Profile, own: OwnKnown,
    progress: Progress, depths: Sequence[int] = DEPTHS,
) -> list[Lost]:  # fmt: skip
    """Follow the right passages of questions.

    Args:
        index: opened with its reranker, if one is used.
        questions: as they were asked.
        profile: of the search; its depth is replaced, and its learned step left out.
        own: known questions that must not vote.
        progress: told after each question at each depth.
        depths: of the legs.
    """
    pipeline = index.pipeline
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    rows = []
    for depth in depths:
        stages: Counter[str] = Counter()
        at_depth = replace(profile, depth=depth, learned="")
        for question in questions:
            same = own.get(question.question_id, frozenset())
            stages.update(_stages(pipeline, question, at_depth, same, ids))
            progress()
        total = stages.total()
        names = ("in_no_leg", "in_fusion", "in_rerank", "found")
        rows.append(Lost(depth, total, **{name: stages[name] / total for name in names}))
    return rows


def _stages(
    pipeline: Pipeline, question: QuestionToFit, profile: Profile, same: frozenset[str],
    ids: dict[Key, str],
) -> list[str]:  # fmt: skip
    """Return where each right passage of a question ended."""
    found = pipeline.find(pipeline.prepare(question.text, profile, None, same))
    candidates = (*found.legs.lexical, *found.legs.dense, *found.recalled.candidates)
    proposed = {ids[one.key] for one in candidates}
    shown = _first(pipeline, found, profile, SHOWN)
    read = shown
    if pipeline.reranker is not None:
        fused = replace(pipeline, reranker=None)
        read = _first(fused, found, profile, profile.rerank_count)
    return [_stage(passage, proposed, read, shown) for passage in question.relevant]


def _stage(passage: str, proposed: set[str], read: set[str], shown: set[str]) -> str:
    if passage in shown:
        return "found"
    if passage in read:
        return "in_rerank"
    return "in_fusion" if passage in proposed else "in_no_leg"


def _first(pipeline: Pipeline, found: Found, profile: Profile, count: int) -> set[str]:
    hits = pipeline.finish(found, profile, count).hits
    return {hit.id for hit in hits}
