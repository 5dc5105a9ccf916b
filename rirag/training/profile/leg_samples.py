"""Asking questions of an index, and keeping what its retrievers propose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rirag.progress import Progress
from rirag.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag.training.ranking.legs import LegSample
from search.pipeline import Pipeline
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import Filters


def every_leg(depth: int) -> Profile:
    """Return a profile under which no retriever is left out, so deep."""
    return replace(load_profile("even"), depth=depth, document_weight=0.1, memory_weight=0.1)


def leg_samples(
    pipeline: Pipeline, questions: Iterable[QuestionToFit], depth: int, own: OwnKnown,
    progress: Progress,
) -> Iterator[LegSample]:  # fmt: skip
    """Yield each question's candidates from the retrievers at this depth and from the memory."""
    profile = every_leg(depth)
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    for question in questions:
        same = own.get(question.question_id, ())
        found = pipeline.find(pipeline.prepare(question.text, profile, None, same))
        legs, memory = found.legs, found.recalled.candidates
        candidates = (*legs.lexical, *legs.dense, *memory)
        yield LegSample(
            question_id=question.question_id,
            words=found.prepared.question.words,
            relevant=question.relevant,
            lexical={ids[one.key]: one.score for one in legs.lexical},
            dense={ids[one.key]: one.score for one in legs.dense},
            documents=dict(legs.documents),
            document_of={ids[one.key]: one.document_id for one in candidates},
            memory={ids[one.key]: one.score for one in memory},
            headings=frozenset(ids[one.key] for one in candidates if one.kind == "heading"),
            key_of={ids[one.key]: one.key for one in candidates},
            kind=question.kind,
        )
        progress()
