"""The way of a question: analysis → plan → retrievers → normalise → fuse → order → rerank → hits.

`prepare` is everything before the engines are asked, `find` asks them, and `finish` is everything
after it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from search.answered_questions.retriever import NOTHING, AnsweredQuestionRetriever, Recalled
from search.caches import LastUsed
from search.candidates import NO_CANDIDATES, Candidates
from search.engines.protocol import Engine, RetrievalRequest, RetrievalResults
from search.engines.schema import outdated
from search.json_form import Record
from search.law_in_time import (
    SEARCHED,
    STATUS,
    STATUS_IN_TIME,
    better_past,
    by_status,
    not_in_force,
    shown_fields,
)
from search.lookup.abbreviations import (
    LONGEST_QUESTION,
    OWN_WORDS,
    KnownWord,
    explained,
    in_full,
    spelled_out,
)
from search.lookup.filter_diagnostics import unmatched_filters
from search.lookup.named_documents import (
    documents_first,
    law_there_first,
    silent_documents,
    with_candidates_of,
)
from search.lookup.pinned import IN_PASSING, NOTHING_ASKED_FOR, AskedFor, asked_for, more_named
from search.lookup.question import FilterConditions, Question, analyse
from search.messages.refusals import unknown_filter_field
from search.models.encoders import load_question_encoder
from search.models.encoders.asking import encode_mean
from search.models.encoders.languages import hardly_reads
from search.models.encoders.protocol import Encoder
from search.models.rerankers.protocol import Reranker
from search.plan import Plan
from search.provisions.documents.names import DocumentNames
from search.provisions.jurisdictions import EU
from search.provisions.terms.abbreviations import Abbreviation
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.ranking.fusion import covered, fuse, votes_weight
from search.ranking.learned.apply import NO_JUDGEMENT, Asked, Judgement, calibrate, put_in_order
from search.ranking.order import (
    answered_first,
    best_after_named,
    hits_of,
    in_learned_order,
    without_relevance_above_score,
)
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.ranking.recitals import recitals_behind
from search.ranking.rerank import rerank
from search.records import UNSURE_NUMBERS, Filters, Hit
from search.text.analyzer import tokens
from search.text.languages import english, foreign_letters
from search.text.word_parts import word_parts
from search.trace import SearchTrace, SimilarQuestion

MAX_K = 1000

SHOWN_NEIGHBOURS = 10
"""Answered questions that the plan names, of those that voted."""

ANSWERED_QUESTIONS_GONE = (
    "answered questions are ignored: their opened index was replaced or deleted on the "
    "server; open the index again"
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchResult(Record):
    """Hits, best first, the plan behind them, and what happened."""

    plan: Plan
    trace: SearchTrace
    hits: tuple[Hit, ...]

    json_form = "plan.question plan=(plan.* trace.*) hits"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __str__(self) -> str:
        return "\n".join(f"{hit.rank}. {hit}" for hit in self.hits)


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
    plan: Plan
    request: RetrievalRequest
    stages: Stages
    encoder: Encoder
    """Of the question."""
    recall: RetrievalRequest | None = None
    """What to ask of the answered questions; None: nothing."""
    leave_out: frozenset[str] = frozenset()
    """IDs of answered questions that must not vote."""
    unread: bool = False
    """Whether the encoder hardly reads the language of the question."""
    abbreviations: tuple[Abbreviation, ...] = ()
    """Those whose other form is searched too."""
    spelled_out: tuple[Abbreviation, ...] = ()
    """Those whose meaning is searched instead."""
    added: int = 0
    """Index terms of the request that they added."""


@dataclass(frozen=True, slots=True)
class Found:
    """A question, and what was found for it."""

    prepared: Prepared
    results: RetrievalResults
    recalled: Recalled = NOTHING
    """What the answered questions say."""


MOST_KNOWN_WORDS = 4_096
"""Abbreviations of earlier questions that are remembered."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """All that a search needs, opened once."""

    engine: Engine
    encoder: Encoder
    names: DocumentNames
    reranker: Reranker | None = None
    answered_questions: AnsweredQuestionRetriever | None = None
    answered_questions_note: str = ""
    """Why answered questions that are there do not count; empty: they do, or there are none."""
    stored_statuses: tuple[str, ...] = ()
    """Values of `status_in_time` in the index (`search.law_in_time`)."""
    known_words: LastUsed[KnownWord, bool] = field(
        default_factory=lambda: LastUsed(MOST_KNOWN_WORDS), compare=False, repr=False
    )
    """Whether passages have an abbreviation of an earlier question: servers are asked once."""

    def prepare(
        self,
        text: str,
        profile: Profile,
        filters: FilterConditions | None,
        leave_out: Collection[str] = (),
    ) -> Prepared:
        """Analyse a question, choose its weights, and encode it where a vector is asked for.

        Raises:
            InputError: the question or a filter cannot be used.
            ModelError: the encoder failed, or gave something else than a vector of length 1.
        """
        stages = Stages()
        question = stages.time("analyse", lambda: analyse(text, filters, self.names))
        asked = question.filters
        question = replace(question, filters=by_status(asked, self.stored_statuses, SEARCHED))
        self._check_fields(question.filters)
        unread, parts = self._language(question.text)
        alpha = profile.alpha_for(question.words)
        alpha = max(alpha, profile.alpha_unread) if unread else alpha
        vector = known = None
        answered = self.answered_questions if profile.votes_weight > 0 else None
        encoder = self._question_encoder(profile)
        if alpha < 1 or answered:
            with stages.timed("encode"):
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
        left_out = frozenset(leave_out)
        return Prepared(question, plan, request, stages, encoder, recall, left_out, unread)

    def profile(self, name: str | os.PathLike[str]) -> Profile:
        """Return a profile by its name, as it is for this index; see `load_profile`."""
        return load_profile(name, self.encoder.revision, self.names.titles)

    def _question_encoder(self, profile: Profile) -> Encoder:
        """Return what encodes the question: the profile's own encoder, if it is for this one."""
        if not profile.question_encoder or profile.encoder_revision != self.encoder.revision:
            return self.encoder
        return load_question_encoder(profile.question_encoder)

    def _language(self, text: str) -> tuple[bool, list[str]]:
        """Return whether the encoder hardly reads a question, and the parts of its words.

        It has parts only if it is not English: the others would be found in other languages.
        """
        known = english(text)
        unread = None if known else hardly_reads(self.encoder, text)
        sure = known is False or unread is not False or foreign_letters(text)
        foreign = sure and not known
        return bool(unread), word_parts(text) if foreign else []

    def find(self, prepared: Prepared) -> Found:
        """Run the retrievers, and let the answered questions vote where they are asked."""
        prepared = self._with_abbreviations(prepared)
        request, recall = prepared.request, prepared.recall
        with prepared.stages.timed("retrieve"):
            results = self.engine.run(request)
            prepared = _with_weights_of(prepared, results.lexical)
            for documents in prepared.question.searched_apart():
                results = with_candidates_of(self.engine, request, results, documents)
            if not prepared.question.numbers:
                past = better_past(self.engine, request, results)
                results = replace(results, notes=(*results.notes, *past))
            if self.answered_questions is None or recall is None:
                return Found(prepared, results)
            known = self.answered_questions.ask(recall)
        return self._with_votes(self.answered_questions, Found(prepared, results), known)

    def _with_abbreviations(self, prepared: Prepared) -> Prepared:
        """Return a question with what its abbreviations stand for.

        What no passage has is replaced by its meaning; of a short question the other forms of the
        abbreviations are added, as words of less weight than its own.
        """
        request, question = prepared.request, prepared.question
        if not request.tokens:
            return prepared
        with prepared.stages.timed("abbreviations"):
            spelled = spelled_out(self.engine, question, self.known_words)
            short = question.words <= LONGEST_QUESTION
            found = explained(self.engine, question) if short else ()
        own = (*request.tokens, *self._terms_of(one.meaning for one in spelled))
        forms = self._terms_of(form for one in found for form in (one.short, one.meaning))
        more = tuple(dict.fromkeys(word for word in forms if word not in own))
        if not (spelled or more):
            return prepared
        terms = (*own * OWN_WORDS, *more) if more else own
        vector = request.vector
        if spelled and vector is not None:
            asked = [in_full(text, spelled) for text in question.asked]
            vector = prepared.stages.time("encode", lambda: encode_mean(prepared.encoder, asked))
        return replace(
            prepared,
            request=replace(request, tokens=terms, vector=vector),
            abbreviations=found,
            spelled_out=spelled,
            added=len(terms) - len(request.tokens),
        )

    def _terms_of(self, forms: Iterable[str]) -> list[str]:
        """Return the index terms of some words, and their parts where they are not English."""
        return [word for form in forms for word in (*tokens(form), *self._language(form)[1])]

    def _with_votes(
        self, answered: AnsweredQuestionRetriever, found: Found, known: RetrievalResults | None
    ) -> Found:
        """Let the answered questions that their engine found vote; None: it is gone."""
        prepared = found.prepared
        if known is None:
            noted = replace(found.results, notes=(*found.results.notes, ANSWERED_QUESTIONS_GONE))
            return Found(replace(prepared, recall=None), noted)
        with prepared.stages.timed("votes"):
            words, filters = prepared.question.words, prepared.request.filters
            recalled = answered.recall(known, words, filters, prepared.leave_out)
        return replace(found, recalled=recalled)

    def states(self) -> tuple[str, str]:
        """Return which state of the index is open, and which of its answered questions."""
        return (
            self.engine.state,
            self.answered_questions.engine.state
            if self.answered_questions
            else self.answered_questions_note,
        )

    def close(self) -> None:
        """Close the engine, and that of the answered questions."""
        self.engine.close()
        if self.answered_questions is not None:
            self.answered_questions.engine.close()

    def _check_fields(self, filters: Filters) -> None:
        fields = self.engine.describe().filter_fields
        for name in filters.fields:
            if name not in (*fields, STATUS_IN_TIME):
                raise unknown_filter_field(name, shown_fields(fields))

    def finish(self, found: Found, profile: Profile, k: int) -> SearchResult:
        """Fuse, rerank and number the candidates; fetch the passages of the first k.

        Args:
            found: for a question.
            profile: the weights.
            k: how many hits, 1 to `MAX_K`.
        """
        prepared, recalled = found.prepared, found.recalled
        stages, question = prepared.stages, prepared.question
        notes = [*question.notes, *_other_encoder(profile, self.encoder), *found.results.notes]
        notes += [*outdated(self.engine.describe()), *filter(None, (self.answered_questions_note,))]
        fused, ranking, judgement = self.candidates(found, profile, notes)
        answers = recalled.answers_to(question.text)
        if len(answers):
            ranking = answered_first(fused, ranking, answers)
        named = self._asked_for(question, stages)
        notes += named.notes
        if profile.relevance and named.term is None:
            with stages.timed("judge"):
                asked = self.asked(prepared, profile)
                judgement = calibrate(judgement, profile, asked, ranking.rerank)
        if len(answers):
            judgement = replace(judgement, answerable=None, answerable_by="", nearness=None)
        votes, results = recalled.candidates, _weighed(found)
        counts = {"lexical": len(results.lexical), "dense": len(results.dense)}
        counts |= {"votes": len(votes)} if prepared.recall else {}
        counts |= {"fused": len(fused)}
        shown = best_after_named(fused, ranking, k, named.passages, named.beside)
        notes += more_named(len(named.passages), k)
        if not shown and question.filters:
            notes += unmatched_filters(self.engine, question.filters)
        with stages.timed("fetch"):
            passages = self.engine.passages([one.key for one in shown]) if shown else []
            hits = hits_of(shown, passages, fused, ranking.rerank, judgement)
            if named.unfound and named.beside < 1:
                hits = tuple(without_relevance_above_score(hit) for hit in hits)
        if named.in_passing and named.in_passing.isdisjoint(hit.id for hit in hits):
            notes.append(IN_PASSING)
        notes += [*_with_unsure_numbers(hits), *_not_in_force(hits)]
        trace = SearchTrace(
            numbers=named.rules,
            unfound=named.unfound,
            term=named.term,
            law_of=question.law.states if question.law else (),
            abbreviations=prepared.abbreviations,
            spelled_out=prepared.spelled_out,
            candidates=counts,
            reranked=len(ranking.rerank),
            notes=tuple(notes),
            milliseconds=stages.milliseconds,
            votes_weight=votes_weight(profile, votes),
            similar_questions=_voters(recalled),
            learned=judgement.described(),
            answerable=judgement.answerable,
            answerable_by=judgement.answerable_by,
            nearness=judgement.nearness,
            stood_aside=judgement.notes,
        )
        return SearchResult(prepared.plan, trace, hits)

    def candidates(
        self, found: Found, profile: Profile, notes: list[str]
    ) -> tuple[FusedCandidates, Ranking, Judgement]:
        """Return all candidates as the fixed weights order them, their final order, and what the
        learned ranking said of them; they are not yet calibrated.
        """
        prepared, votes = found.prepared, found.recalled.candidates
        stages, results = prepared.stages, _weighed(found)
        fused = stages.time("fuse", lambda: fuse(results, profile, prepared.plan.alpha, votes))
        judgement = self._in_order(found, profile, fused)
        ranking = in_learned_order(Ranking.of(fused), judgement)
        if self.reranker is not None and not profile.rerank_weight:
            notes.append(f"the reranker is not used: the profile {profile.name} gives it weight 0")
        elif self.reranker is not None:
            with stages.timed("rerank"):
                ranking = self._reranked(prepared.question.text, fused, ranking, profile, notes)
        ranking = recitals_behind(fused, ranking, self.names.by_law.get(EU, ()))
        if prepared.question.law:
            ranking = law_there_first(fused, ranking, prepared.question.law)
        if prepared.question.documents:
            ranking, silent = documents_first(fused, ranking, prepared.question.documents)
            filters = prepared.question.filters
            notes += silent_documents(self.engine, self.names, silent, filters)
        return fused, ranking, judgement

    def _in_order(self, found: Found, profile: Profile, fused: FusedCandidates) -> Judgement:
        if not (profile.learned or profile.relevance):
            return NO_JUDGEMENT
        with found.prepared.stages.timed("order"):
            asked = self.asked(found.prepared, profile)
            return put_in_order(profile, asked, fused, found.recalled.answered)

    def asked(self, prepared: Prepared, profile: Profile) -> Asked:
        """Return what decides whether a fitted model holds for a question."""
        question = prepared.question
        return Asked(
            encoder_revision=self.encoder.revision,
            words=question.words,
            terms=len(question.tokens) + prepared.added,
            depth=profile.depth,
            reranker=self.reranker.name if self.reranker else "",
            memory=prepared.recall is not None,
            documents=self.names.titles,
            passages=self.engine.describe().passages,
            named=bool(question.numbers),
            unread=prepared.unread,
        )

    def _reranked(
        self,
        text: str,
        fused: FusedCandidates,
        ranking: Ranking,
        profile: Profile,
        notes: list[str],
    ) -> Ranking:
        """Reorder the best candidates; a failing reranker leaves their order and says so."""
        if self.reranker is None:
            return ranking
        count = profile.rerank_count
        places, before = ranking.places[:count].tolist(), ranking.scores[:count].tolist()
        passages = self.engine.passages(fused.keys[places].tolist())
        texts = [passage.text for passage in passages]
        try:
            scored = rerank(self.reranker, text, texts, before, profile.rerank_weight)
        except Exception as error:  # any model may fail in its own way; search must not
            notes.append(f"reranking failed, so the previous order is kept: {error}")
            return ranking
        read = {places[i]: retriever for i, _, retriever in scored}
        order, scores = [places[i] for i, _, _ in scored], [score for _, score, _ in scored]
        return ranking.reordered(order, scores)._replace(rerank=read)

    def _asked_for(self, question: Question, stages: Stages) -> AskedFor:
        if not (question.numbers or question.meaning.terms):
            return NOTHING_ASKED_FOR
        return stages.time("named", lambda: asked_for(self.engine, question, self.names))

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
            heading_share=profile.heading_share,
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


def _not_in_force(hits: Sequence[Hit]) -> list[str]:
    """Return a note on the hits that are not in force."""
    told = [f"{hit.citation()} is {what}" for hit in hits if (what := not_in_force(hit.passage))]
    others = f"; {len(told)} of {len(hits)} hits are not in force" if told[1:] else ""
    return [f"{one}{others}" for one in told[:1]]


def _with_weights_of(prepared: Prepared, lexical: Candidates) -> Prepared:
    """Return a question with the lexical weight that what BM25 found leaves it."""
    plan, terms = prepared.plan, len(prepared.request.tokens)
    alpha = covered(plan.alpha, 0 if prepared.unread else plan.alpha_covered, lexical, terms)
    return replace(prepared, plan=replace(plan, alpha=alpha))


def _weighed(found: Found) -> RetrievalResults:
    """Return the retrievers without a lexical one that was run for the documents alone."""
    alone = found.prepared.plan.alpha == 0
    return replace(found.results, lexical=NO_CANDIDATES) if alone else found.results


def _other_encoder(profile: Profile, encoder: Encoder) -> list[str]:
    if profile.encoder_revision in ("", encoder.revision):
        return []
    return [
        (
            f"the profile {profile.name} was fitted for {profile.encoder} (revision "
            f"{profile.encoder_revision}), but this index has {encoder.name} "
            f"({encoder.revision})"
        )
    ]


def _voters(recalled: Recalled) -> tuple[SimilarQuestion, ...]:
    return tuple(
        SimilarQuestion(one.question.id, one.question.text, one.similarity, one.question.passages)
        for one in recalled.neighbours[:SHOWN_NEIGHBOURS]
    )
