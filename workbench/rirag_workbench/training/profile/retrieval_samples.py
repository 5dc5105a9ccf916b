"""Asking questions of an index, and keeping what its retrievers propose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rirag.progress import Progress
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.ranking.samples import RetrievalSample
from search.pipeline import Pipeline
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import Filters


def every_retriever(depth: int) -> Profile:
    """Return a profile under which no retriever is left out, so deep."""
    return replace(load_profile("even"), depth=depth, document_weight=0.1, votes_weight=0.1)


def retrieval_samples(
    pipeline: Pipeline, questions: Iterable[QuestionToFit], depth: int, own: OwnKnown,
    progress: Progress,
) -> Iterator[RetrievalSample]:  # fmt: skip
    """Yield each question's candidates from the retrievers at this depth and from the memory."""
    profile = every_retriever(depth)
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    for question in questions:
        same = own.get(question.question_id, ())
        found = pipeline.find(pipeline.prepare(question.text, profile, None, same))
        results, memory = found.results, found.recalled.candidates
        candidates = (*results.lexical, *results.dense, *memory)
        yield RetrievalSample(
            question_id=question.question_id,
            words=found.prepared.question.words,
            relevant=question.relevant,
            lexical={ids[one.key]: one.score for one in results.lexical},
            dense={ids[one.key]: one.score for one in results.dense},
            documents=dict(results.documents),
            document_of={ids[one.key]: one.document_id for one in candidates},
            memory={ids[one.key]: one.score for one in memory},
            headings=frozenset(ids[one.key] for one in candidates if one.kind == "heading"),
            key_of={ids[one.key]: one.key for one in candidates},
            kind=question.kind,
        )
        progress()
