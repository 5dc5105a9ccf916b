"""The way of a question: analysis → plan → the steps of `search.ranking.steps` → hits.

`prepare` is everything before the engines are asked, `find` asks them, `ordered` orders what they
found, and `finish` is everything after it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from search.engines.protocol import RetrievalRequest
from search.engines.schema import outdated
from search.json_form import Record
from search.law_in_time import (
    SEARCHED,
    STATUS,
    STATUS_IN_TIME,
    asked_day,
    by_status,
    check_named,
    day_asked_in,
    not_in_force,
    shown_fields,
)
from search.lookup.filter_diagnostics import unmatched_filters
from search.lookup.question import FilterConditions, Question, analyse
from search.messages.refusals import unknown_filter_field
from search.models.encoders import load_question_encoder
from search.models.encoders.asking import encode_mean
from search.models.encoders.protocol import Encoder
from search.plan import Plan
from search.ranking.order import best_after_named, hits_of, with_pinned
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.ranking.steps import FINDING, FINISHING, ORDERING, planned, run
from search.ranking.steps.finding.formulations import with_formulations
from search.ranking.steps.protocol import Opened, Search, timed
from search.records import UNSURE_NUMBERS, Filters, Hit, Passage
from search.trace import SearchTrace

MAX_K = 1000

IN_PASSING = (
    "the question names rules only in passing, and they are not among the hits; "
    "search for their numbers alone to read them"
)


@dataclass(frozen=True, slots=True)
class SearchResult(Record):
    """Hits, best first, the plan behind them, and what happened."""

    plan: Plan
    trace: SearchTrace
    hits: tuple[Hit, ...]
    total: int = 0
    """How many passages the retrievers and the names in the question propose together."""
    others: tuple[Passage, ...] = ()
    """Those after the hits, where they were asked for, in their order."""

    json_form = "plan.question plan=(plan.* trace.*) total hits"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __str__(self) -> str:
        return "\n".join(f"{hit.rank}. {hit}" for hit in self.hits)


@dataclass(frozen=True, slots=True)
class Pipeline(Opened):
    """What is opened once, and the way of a question through it."""

    def prepare(
        self,
        text: str,
        profile: Profile,
        filters: FilterConditions | None,
        leave_out: Collection[str] = (),
        formulations: Sequence[str] = (),
    ) -> Search:
        """Analyse a question, choose its weights and steps, and encode it where a vector is asked
        for.

        Raises:
            InputError: the question or a filter cannot be used.
            ModelError: the encoder failed, or gave something else than a vector of length 1.
        """
        times: dict[str, float] = {}
        with timed(times, "analyse"):
            question = analyse(text, filters, self.names)
        asked = question.filters
        check_named(self.stored_statuses)
        question = replace(question, filters=by_status(asked, self.stored_statuses, searched=True))
        self._check_fields(question.filters)
        unread, parts = self.language(question.text)
        alpha = profile.alpha_for(question.words)
        alpha = max(alpha, profile.alpha_unread) if unread else alpha
        vector = known = None
        answered = self.answered_questions if profile.votes_weight > 0 else None
        encoder = self._question_encoder(profile)
        if alpha < 1 or answered:
            with timed(times, "encode"):
                vector = encode_mean(encoder, question.asked)
                same = encoder is self.encoder or answered is None
                known = vector if same else encode_mean(self.encoder, question.asked)
        terms = (*question.tokens, *parts)
        request = RetrievalRequest(
            tokens=terms if alpha > 0 or profile.document_weight else (),
            vector=vector if alpha < 1 else None,
            depth=profile.depth,
            filters=question.filters,
            documents=profile.document_weight > 0,
        )
        recall = None
        if answered:
            whole = replace(request, tokens=terms, vector=known)
            recall = answered.request(whole, leave_out)
        shown = asked.having(**{STATUS: SEARCHED}) if question.filters.excluded else asked
        plan = replace(self._plan(question, profile, alpha, encoder), filters=shown)
        search = Search(
            self, question, profile, plan, request, times, encoder,
            recall=recall, leave_out=frozenset(leave_out), unread=unread,
            terms=len(question.tokens), notes=self._unused(profile),
        )  # fmt: skip
        search = with_formulations(search, formulations)
        return replace(search, steps=planned(search))

    def find(self, search: Search) -> Search:
        """Run the retrievers, and let the answered questions vote where they are asked."""
        return run(FINDING, search)

    def ordered(self, search: Search) -> Search:
        """Return what was found in its order; it is not yet calibrated."""
        return run(ORDERING, search)

    def profile(self, name: str | os.PathLike[str]) -> Profile:
        """Return a profile by its name, as it is for this index; see `load_profile`."""
        return load_profile(name, self.encoder.revision, self.names.titles)

    def _question_encoder(self, profile: Profile) -> Encoder:
        """Return what encodes the question: the profile's own encoder, if it is for this one."""
        if not profile.question_encoder or profile.encoder_revision != self.encoder.revision:
            return self.encoder
        return load_question_encoder(profile.question_encoder)

    def states(self) -> tuple[str, ...]:
        """Return which state of the index is open, of its answered questions, and of its tuning."""
        return (
            self.engine.state,
            self.answered_questions.engine.state
            if self.answered_questions
            else self.answered_questions_note,
            self.tuning.state,
        )

    def close(self) -> None:
        """Close the engine, and that of the answered questions."""
        self.engine.close()
        if self.answered_questions is not None:
            self.answered_questions.engine.close()

    def finish(self, search: Search, k: int, others: bool = False) -> SearchResult:
        """Order and number the candidates, and fetch the passages of the first k.

        Args:
            search: after `find`.
            k: how many hits, 1 to `MAX_K`.
            others: whether the passages after them are fetched, too.
        """
        search = run(FINISHING, self.ordered(search))
        question, ranking = search.question, search.ranking
        notes = [*question.notes, *_other_encoder(search.profile, self.encoder)]
        notes += [*search.results.notes, *outdated(self.engine.describe())]
        notes += [*filter(None, (self.answered_questions_note,))]
        if (day := day_asked_in(question.text)) == asked_day():
            notes.append(f"the question asks for the law of {day}")
        if also := search.plan.formulations:
            notes.append(f"also searched for: {'; '.join(also)}")
        notes += search.notes
        every = best_after_named(search.fused, ranking, MAX_K, search.named, search.beside)
        every = with_pinned(every, search) if search.pinned else every
        shown = every[:k]
        notes += _more_named(len(search.named), k)
        if not shown and question.filters:
            notes += unmatched_filters(self.engine, question.filters)
        with search.timed("fetch"):
            wanted = [one.key for one in (every if others else shown)]
            passages = self.engine.passages(wanted) if wanted else []
            hits = hits_of(search, shown, passages[: len(shown)])
        if search.in_passing and search.in_passing.isdisjoint(hit.id for hit in hits):
            notes.append(IN_PASSING)
        notes += [*_with_unsure_numbers(hits), *_not_in_force(hits)]
        trace = replace(search.trace, notes=tuple(notes), milliseconds=search.milliseconds)
        return SearchResult(search.plan, trace, hits, len(every), tuple(passages[k:]))

    def _unused(self, profile: Profile) -> tuple[str, ...]:
        if self.reranker is None or profile.rerank_weight:
            return ()
        return (f"the reranker is not used: the profile {profile.name} gives it weight 0",)

    def _check_fields(self, filters: Filters) -> None:
        fields = self.engine.describe().filter_fields
        for name in filters.fields:
            if name not in (*fields, STATUS_IN_TIME):
                raise unknown_filter_field(name, shown_fields(fields))

    def _plan(self, question: Question, profile: Profile, alpha: float, encoder: Encoder) -> Plan:
        index, reads = self.engine.describe(), bool(self.reranker and profile.rerank_weight)
        return Plan(
            question=question.text,
            words=question.words,
            tokens=question.tokens,
            profile=profile.name,
            profile_source=profile.source,
            profile_encoder=profile.encoder,
            fusion=profile.fusion,
            alpha=alpha,
            alpha_covered=profile.alpha_covered,
            document_weight=profile.document_weight,
            heading_weight=profile.heading_weight,
            depth=profile.depth,
            encoder=self.encoder.name,
            question_encoder="" if encoder is self.encoder else encoder.name,
            index=index.url,
            generation=index.generation,
            filters=question.filters,
            reranker=self.reranker.name if self.reranker else None,
            rerank_count=profile.rerank_count if reads else 0,
            rerank_weight=profile.rerank_weight if self.reranker else 0.0,
        )


def _with_unsure_numbers(hits: Sequence[Hit]) -> list[str]:
    """Return a note on each document among the hits whose numbers may be wrong."""
    names = dict.fromkeys(
        hit.document_title for hit in hits if hit.passage.metadata.get(UNSURE_NUMBERS)
    )
    return [f"the numbers of {name} may be wrong: its text lost its order" for name in names]


def _more_named(count: int, shown: int) -> list[str]:
    """Return what to know where more passages are asked for by name than are shown."""
    most = "one" if shown == 1 else str(shown)
    more = f"more passages match what the question names than the {most} shown"
    return [more] if count > shown else []


def _not_in_force(hits: Sequence[Hit]) -> list[str]:
    """Return a note on the hits that are not in force."""
    told = [f"{hit.citation()} is {what}" for hit in hits if (what := not_in_force(hit.passage))]
    others = f"; {len(told)} of {len(hits)} hits are not in force" if told[1:] else ""
    return [f"{one}{others}" for one in told[:1]]


def _other_encoder(profile: Profile, encoder: Encoder) -> list[str]:
    if profile.encoder_revision in ("", encoder.revision):
        return []
    return [
        f"the profile {profile.name} was fitted for {profile.encoder} (revision "
        f"{profile.encoder_revision}), but this index has {encoder.name} ({encoder.revision})"
    ]
