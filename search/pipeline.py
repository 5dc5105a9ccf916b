"""The way of a question: analysis → plan → legs → normalise → fuse → rerank → hits.

`prepare` is everything before the engine is asked, `finish` everything after it, so that the
synchronous and the asynchronous search are the same code around one call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from search.document_names import DocumentNames
from search.encoders.protocol import Encoder
from search.engines.protocol import Engine, LegRequest, LegResults
from search.errors import InputError
from search.fusion import Fused, fuse
from search.plan import NamedRule, Plan
from search.profiles import Profile
from search.question import FilterConditions, Question, analyse
from search.records import KINDS, Filters, Hit, Key, LegScore, Passage, Scores
from search.rerankers.protocol import Reranker
from search.reranking import rerank
from search.rule_lookup import BESIDE_NAMED, Named, look_up

MAX_K = 1000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and the plan that led to them."""

    plan: Plan
    hits: tuple[Hit, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form of `rirag search --json`."""
        return {
            "question": self.plan.question,
            "plan": self.plan.to_json(),
            "hits": [hit.to_json() for hit in self.hits],
        }


@dataclass(slots=True)
class Stages:
    """Milliseconds of each stage."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    def time(self, name: str, work: Callable[[], T]) -> T:
        """Run a stage and note how long it took."""
        with self.timed(name):
            return work()

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long a `with` block took."""
        started = time.perf_counter()
        yield
        self.milliseconds[name] = (time.perf_counter() - started) * 1000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question ready to be put to the engine."""

    question: Question
    alpha: float
    request: LegRequest
    stages: Stages


@dataclass(frozen=True, slots=True)
class Pipeline:
    """All that a search needs, opened once."""

    engine: Engine
    encoder: Encoder
    names: DocumentNames
    reranker: Reranker | None = None

    def prepare(self, text: str, profile: Profile, filters: FilterConditions | None) -> Prepared:
        """Analyse a question, choose its weights, and encode it where the dense leg counts."""
        stages = Stages()
        question = stages.time("analyse", lambda: analyse(text, filters, self.names))
        self._check_fields(question.filters)
        alpha = profile.alpha_for(question.words)
        vector = None
        if alpha < 1:
            encode = self.encoder.encode_questions
            vector = stages.time("encode", lambda: encode([question.text])[0])
        request = LegRequest(
            text=question.text,
            tokens=question.tokens if alpha > 0 or profile.document_weight else (),
            vector=vector,
            depth=profile.depth,
            filters=question.filters,
            documents=profile.document_weight > 0,
        )
        return Prepared(question, alpha, request, stages)

    def _check_fields(self, filters: Filters) -> None:
        fields = self.engine.describe().filter_fields
        for name, values in filters.fields.items():
            if name not in fields:
                known = ", ".join(fields) or "none"
                raise InputError(f"unknown filter field {name!r}; this index has: {known}")
            if name == "kind" and not set(values) <= set(KINDS):
                known = ", ".join(KINDS)
                raise InputError(f"unknown kind {', '.join(values)!r}; choose from: {known}")

    def finish(
        self, prepared: Prepared, legs: LegResults, profile: Profile, k: int
    ) -> SearchResult:
        """Fuse, rerank and number the candidates; fetch the passages of the first k."""
        if not 1 <= k <= MAX_K:
            raise InputError(f"k must be between 1 and {MAX_K}, not {k}")
        stages, question = prepared.stages, prepared.question
        notes = [*question.notes, *legs.notes]
        if prepared.alpha == 0:
            legs = replace(legs, lexical=())
        ranked = _unranked(stages.time("fuse", lambda: fuse(legs, profile, prepared.alpha)))
        counts = {"lexical": len(legs.lexical), "dense": len(legs.dense), "fused": len(ranked)}
        if self.reranker is not None:
            work = self._reranked
            ranked = stages.time("rerank", lambda: work(question.text, ranked, profile, notes))
        rules: list[NamedRule] = []
        if question.numbers:
            ranked, rules = stages.time("numbers", lambda: self._pinned(question, ranked, notes))
        hits = stages.time("fetch", lambda: self._hits(ranked[:k]))
        plan = self._plan(prepared, profile, counts, rules, notes)
        return SearchResult(plan, hits)

    def _reranked(
        self, text: str, ranked: list[Ranked], profile: Profile, notes: list[str]
    ) -> list[Ranked]:
        """Reorder the best candidates; a failing reranker leaves the fused order and says so."""
        if self.reranker is None:
            return ranked
        head, tail = ranked[: profile.rerank_count], ranked[profile.rerank_count :]
        passages = self.engine.passages([one.key for one in head])
        texts = [passage.text for passage in passages]
        try:
            scored = rerank(
                self.reranker, text, texts, [one.score for one in head], profile.rerank_weight
            )
        except Exception as error:  # any model may fail in its own way; search must not
            notes.append(f"reranking failed, so the fused order stands: {error}")
            return ranked
        head = [replace(head[i], score=score, rerank=leg) for i, score, leg in scored]
        # What was not read keeps its order below what was.
        floor = min((one.score for one in head), default=1.0)
        return head + [replace(one, score=min(one.score, floor)) for one in tail]

    def _pinned(
        self, question: Question, ranked: list[Ranked], notes: list[str]
    ) -> tuple[list[Ranked], list[NamedRule]]:
        """Put the passages that the question names before all others."""
        naming, named, rules = look_up(self.engine, question, self.names)
        notes += [
            f"{rule.text}: no passage of the index has this number"
            for rule, number in zip(rules, question.numbers, strict=True)
            if not rule.found and not number.unknown_document
        ]
        if naming == "in passing":
            notes.append("the question names rules in passing: they do not change the ranking")
            return ranked, rules
        known = {one.key: one for one in ranked}
        first = [_as_named(one, known.pop(one.candidate.key, None)) for one in named]
        factor = BESIDE_NAMED if naming == "asked for" else 1.0
        return first + [replace(one, score=one.score * factor) for one in known.values()], rules

    def _hits(self, ranked: Sequence[Ranked]) -> tuple[Hit, ...]:
        passages = self.engine.passages([one.key for one in ranked]) if ranked else []
        return tuple(
            one.hit(rank, passage)
            for rank, (one, passage) in enumerate(zip(ranked, passages, strict=True), start=1)
        )

    def _plan(
        self,
        prepared: Prepared,
        profile: Profile,
        counts: Mapping[str, int],
        rules: Sequence[NamedRule],
        notes: Sequence[str],
    ) -> Plan:
        index = self.engine.describe()
        question = prepared.question
        return Plan(
            question=question.text,
            words=question.words,
            tokens=question.tokens,
            profile=profile.name,
            profile_source=profile.source,
            fusion=profile.fusion,
            alpha=prepared.alpha,
            document_weight=profile.document_weight,
            heading_weight=profile.heading_weight,
            depth=profile.depth,
            encoder=self.encoder.name,
            index=index.url,
            generation=index.generation,
            filters=Filters(dict(question.filters.fields)),
            numbers=tuple(rules),
            candidates=counts,
            reranker=self.reranker.name if self.reranker else None,
            rerank_count=profile.rerank_count if self.reranker else 0,
            rerank_weight=profile.rerank_weight if self.reranker else 0.0,
            notes=tuple(notes),
            milliseconds=prepared.stages.milliseconds,
        )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate on its way to a hit."""

    key: Key
    score: float
    """The score that decides; the fused one until something better is known."""
    fused: LegScore
    lexical: LegScore | None = None
    dense: LegScore | None = None
    document: LegScore | None = None
    rerank: LegScore | None = None
    number: float | None = None

    def hit(self, rank: int, passage: Passage) -> Hit:
        """Return the hit at a rank."""
        scores = Scores(
            fused=self.fused,
            lexical=self.lexical,
            dense=self.dense,
            document=self.document,
            rerank=self.rerank,
            number=self.number,
        )
        return Hit(rank=rank, score=self.score, scores=scores, passage=passage)


def _unranked(fused: Sequence[Fused]) -> list[Ranked]:
    return [
        Ranked(
            key=one.key,
            score=one.score,
            fused=LegScore(one.score, one.score, rank),
            lexical=one.lexical,
            dense=one.dense,
            document=one.document,
        )
        for rank, one in enumerate(fused, start=1)
    ]


def _as_named(named: Named, known: Ranked | None) -> Ranked:
    if known is None:
        # Named, but proposed by no leg: its fused score is 0 and it has no rank there.
        known = Ranked(named.candidate.key, 0.0, LegScore(0.0, 0.0, 0))
    return replace(known, score=named.score, number=named.score)
