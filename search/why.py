"""Why a passage is not among the first hits of a question: its place in each retriever and step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from search.json_form import Record
from search.law_in_time import by_status, not_in_force
from search.lookup.question import FilterConditions
from search.pipeline import MAX_K, Pipeline, SearchResult
from search.provisions.context import context_of, in_context
from search.provisions.jurisdictions import is_law_of, state_of
from search.ranking.profiles import MOST_CANDIDATES, Profile
from search.records import JURISDICTION, PROBABLE_JURISDICTION, Filters, Hit, Passage
from search.text.analyzer import tokens, words

RETRIEVERS = ("lexical", "dense", "votes")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage was after a retriever or a step."""

    step: str
    """`lexical`, `dense`, `votes`, `fused`, `learned`, `rerank` or `final`."""
    rank: int
    """1-based."""
    score: float
    """The step's own: BM25, cosine, log-odds, or the score that decides."""
    last: float | None = None
    """The score of the last hit that is shown; None: it has none from this step."""

    def describe(self) -> str:
        """Return the place as a line that a person can read."""
        shown = "" if self.last is None else f" (the last hit shown: {self.last:.3g})"
        return f"{self.step:8} #{self.rank}, {self.score:.3g}{shown}"


@dataclass(frozen=True, slots=True)
class Why(Record):
    """Where a passage was at each step, and what kept it back."""

    passage: Passage
    places: tuple[Place, ...]
    """In the order of the steps; those that never had it are left out."""
    shared: tuple[str, ...]
    """Words of the question that the retrievers read in the passage or its context."""
    missing: tuple[str, ...]
    """Words of the question that they do not read there."""
    reasons: tuple[str, ...]
    """What kept it back, a sentence each; empty: nothing did."""

    json_form = "passage.id passage.citation places shared missing reasons"

    def describe(self) -> str:
        """Return lines that a person can read."""
        return "\n".join([
            f"why      {self.passage.citation()}",
            *(place.describe() for place in self.places),
            f"words    {' '.join(self.shared) or '(none)'}",
            f"missing  {' '.join(self.missing) or '(none)'}",
            *(f"reason   {reason}" for reason in self.reasons),
        ])  # fmt: skip


def why(
    pipeline: Pipeline,
    question: str,
    passage: Passage,
    profile: Profile,
    k: int,
    filters: FilterConditions | None = None,
) -> Why:
    """Return where a passage was at each step of a search for the first k hits.

    A passage that no retriever proposed is looked for among their first `MOST_CANDIDATES`.
    """
    result = _all_hits(pipeline, question, profile, filters)
    hit = _hit(result, passage)
    deeper = None
    if hit is None:
        deepest = replace(profile, depth=MOST_CANDIDATES)
        deeper = _hit(_all_hits(pipeline, question, deepest, filters), passage)
    text = frozenset(tokens(in_context(passage, context_of(passage))))
    asked = [word for word in dict.fromkeys(words(question)) if tokens(word)]
    shared = [word for word in asked if not text.isdisjoint(tokens(word))]
    last = result.hits[min(k, len(result.hits)) - 1] if result.hits else None
    found = hit or deeper
    places = tuple(_places(found, last, final=hit is not None)) if found else ()
    return Why(
        passage,
        places,
        tuple(shared),
        tuple(word for word in asked if word not in shared),
        tuple(_reasons(pipeline, result, passage, hit, deeper, k)),
    )


def _all_hits(
    pipeline: Pipeline, question: str, profile: Profile, filters: FilterConditions | None
) -> SearchResult:
    prepared = pipeline.prepare(question, profile, filters)
    return pipeline.finish(pipeline.find(prepared), MAX_K)


def _hit(result: SearchResult, passage: Passage) -> Hit | None:
    return next((hit for hit in result.hits if hit.id == passage.id), None)


def _places(hit: Hit, last: Hit | None, *, final: bool) -> Iterator[Place]:
    """Yield the places of a hit; without `final`, those of the retrievers alone."""
    for step in (*RETRIEVERS, *(("fused", "learned", "rerank") if final else ())):
        score, other = getattr(hit.scores, step), last and getattr(last.scores, step)
        if score is not None and score.rank:
            yield Place(step, score.rank, score.raw, other.raw if other else None)
    if final:
        yield Place("final", hit.rank, hit.score, last.score if last else None)


def _reasons(
    pipeline: Pipeline,
    result: SearchResult,
    passage: Passage,
    hit: Hit | None,
    deeper: Hit | None,
    k: int,
) -> Iterator[str]:
    """Yield what kept a passage from the first k hits."""
    if hit is not None and hit.rank <= k:
        return
    plan = result.plan
    if not passage.text.strip():
        yield "it has no text, and is found by its number alone"
        return
    if plan.filters and not _meets(pipeline, plan.filters, passage):
        yield not_in_force(passage) or "a filter leaves it out"
        return
    if hit is None:
        yield f"it is not among the first {plan.depth} of any retriever" + (
            "" if deeper else f", nor among their first {MOST_CANDIDATES}"
        )
        return
    scores, asked = hit.scores, result.trace.law_of
    absent = [step for step in ("lexical", "dense") if getattr(scores, step) is None]
    yield from (
        f"it is not among the first {plan.depth} of the {step} retriever" for step in absent
    )
    moved = [("the fusion", scores.fused), ("learned ranking", scores.learned),
             ("the reranker", scores.rerank)]  # fmt: skip
    before = min((one.rank for one in (scores.lexical, scores.dense) if one), default=hit.rank)
    for name, place in moved:
        if place is None or not place.rank:
            continue
        if before <= k < place.rank:
            yield f"{name} moved it from {before} to {place.rank}"
        before = place.rank
    for field, is_law in ((JURISDICTION, "is law"), (PROBABLE_JURISDICTION, "is probably law")):
        law = state_of(passage.metadata.get(field))
        if law and asked and not any(is_law_of(law, state) for state in asked):
            yield f"it {is_law} of {law}, and the question names {', '.join(asked)}"
    named = sum(one.scores.number is not None or bool(one.definition) for one in result.hits[:k])
    if named:
        yield f"{named} passages that the question names or asks to define come first"
    if result.trace.pinned:
        yield f"{len(result.trace.pinned)} passages are pinned to such questions"


def _meets(pipeline: Pipeline, filters: Filters, passage: Passage) -> bool:
    wanted = by_status(filters, pipeline.stored_statuses).having(id=(passage.id,))
    return bool(pipeline.engine.find(wanted, 1))
