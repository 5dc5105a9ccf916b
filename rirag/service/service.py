"""An opened index with its models and settings, for threads and event loops to share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from generation.llm.running import blocking, run
from generation.mode import AnswerContext
from rirag.service.answering import Answering, BoundLLM
from rirag.service.opening import Refresher, open_index
from rirag.service.query import Answered, Query, query_of
from rirag.service.reading import Numbered, named_document, numbered_passages
from rirag.service.verifying import Verifier
from search.caches import CAPACITY, LastUsed
from search.errors import IndexUnavailableError
from search.law_in_time import as_of, asked_day, in_force
from search.lookup.abbreviations import in_full

if TYPE_CHECKING:
    from generation import Answer, AnswerSettings
    from generation.search_help import SearchHelp
    from generation.verify import Verification
    from rirag.inputs.answer_records import AnswerRecord
    from rirag.settings import Settings
    from search import DocumentSummary, Hit, Index, IndexDescription, Passage, SearchResult
    from search.lookup.links import Links
    from search.versions.changes import Amendment
    from search.versions.compare import Comparison
    from search.versions.works import RuleState, VersionState
    from search.why import Why

T = TypeVar("T")

MOST_NAMED = 4
"""Passages of rules named in passing that an answer reads."""

MOST_BELOW = 12
"""Passages below a heading named in passing up to which it is read as a rule."""

OnSearch = Callable[["SearchResult"], object]
"""Gets the search of an answer before the answer is written."""

OnText = Callable[[str], None]
"""Gets each piece of an answer as it is written, safe to print."""


class Service:
    """One index and all that is done with it; a context manager.

    `index` is there for what this class does not have.
    """

    def __init__(
        self,
        settings: Settings,
        index: Index,
        answering: Answering | None = None,
        bound_llm: BoundLLM | None = None,
    ) -> None:
        """Take an index that is open; `open` opens one."""
        from generation import IndexLibrary

        self.settings = settings
        self.index = index
        self._library = IndexLibrary(index)
        self._bound_llm = bound_llm
        self._refresher: Refresher | None = None
        self._help: SearchHelp | None = None
        self._links: LastUsed[tuple[str, str, bool], Links] = LastUsed(CAPACITY)
        if answering is not None:
            self.answering = answering

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        reranking: bool = True,
        answers: bool = False,
        bound_llm: BoundLLM | None = None,
        fresh_every_s: float | None = None,
    ) -> Self:
        """Open the index of the settings.

        Args:
            settings: of everything that a question does not decide.
            reranking: whether to load the reranker, if the settings want one.
            answers: whether to read now what only answers need; else with the first one.
            bound_llm: put around each language model, so that a crowd does not overrun it.
            fresh_every_s: how often to look for a newer state of the index; None: never.

        Raises:
            RiragError: what the settings name cannot be opened, loaded or read.
        """
        answering = Answering(settings, bound_llm) if answers else None
        service = cls(settings, open_index(settings, reranking=reranking), answering, bound_llm)
        if fresh_every_s is not None:
            service._refresher = Refresher(service.index, fresh_every_s)
        return service

    @cached_property
    def answering(self) -> Answering:
        """Models, prompts and limits of answers."""
        return Answering(self.settings, self._bound_llm)

    @cached_property
    def _verifier(self) -> Verifier:
        return Verifier(self.settings)

    # Search

    def search(self, query: Query | str, **changed: Any) -> SearchResult:
        """Find the passages that bear on a question; `search.Index.search` has the refusals.

        Args:
            query: the question.
            changed: fields of the query, such as `k` and `filters`.
        """
        query, note = query_of(query, **changed), ""
        if query.search_help:
            query, note = run(self._helped(query))
        return self._searched(query, note)

    def _searched(self, query: Query, note: str = "") -> SearchResult:
        """Search, with a note on what a language model did not do."""
        asked = self._asked(query)
        found = self._current(lambda: self.index.search(query.question, **asked))
        if not note:
            return found
        return replace(found, trace=replace(found.trace, notes=(*found.trace.notes, note)))

    async def _helped(self, query: Query) -> tuple[Query, str]:
        """Return a query with other words for it by the language model, or why it has none.

        Raises:
            InputError: there is no language model.
        """
        if query.formulations:
            return query, ""
        found = await self._helper().ask(query.question)
        return replace(query, formulations=found.formulations), found.note

    def _helper(self) -> SearchHelp:
        if self._help is None:
            from generation.search_help import SearchHelp
            from rirag.service.language_models import language_models

            models = self.answering.models or language_models(
                self.settings, "; without one search without help"
            )
            self._help = SearchHelp(models[""], self.answering.prompts)
        return self._help

    async def search_async(self, query: Query | str) -> SearchResult:
        """Do what `search` does, in a thread."""
        query, note = query_of(query), ""
        if query.search_help:
            query, note = await self._helped(query)
        return await asyncio.to_thread(self._searched, query, note)

    def why(self, query: Query, passage_id: str) -> Why:
        """Return where a passage was at each step of a search, and what kept it back."""
        asked = self._asked(query)
        del asked["leave_out"], asked["formulations"], asked["others"]
        return self._current(lambda: self.index.why(query.question, passage_id, **asked))

    def _asked(self, query: Query) -> dict[str, Any]:
        asked = {name: getattr(query, name) for name in ("filters", "leave_out", "others")}
        for name in ("k", "profile", "rerank", "answered_questions"):
            own = getattr(query, name)
            asked[name] = getattr(self.settings, name) if own is None else own
        return {**asked, "formulations": tuple(query.formulations), "as_of": query.day}

    def _current(self, work: Callable[[], T]) -> T:
        """Return the result of work; when its state of the index is gone, of the newest state."""
        try:
            return work()
        except IndexUnavailableError:
            if not self.index.refresh():
                raise
            return work()

    # Answers

    def ask(self, query: Query | str, *, mode: str | None = None, **changed: Any) -> Answer:
        """Search and answer as `answer` does, and return the answer alone."""
        return self.answer(query_of(query, **changed), mode=mode).answer

    async def answer_async(
        self,
        query: Query | str,
        *,
        mode: str | None = None,
        context: AnswerContext | None = None,
        question_id: str | None = None,
        on_search: OnSearch | None = None,
        on_text: OnText | None = None,
    ) -> Answered:
        """Search and answer; `generation.answer` has the refusals.

        `answer` waits for it, with the same arguments. Cancelling the task cancels the calls of the
        model.

        Args:
            query: the question.
            mode: how to answer; None: as the settings say.
            context: what comes with the question; the library is that of the index, and examples
                and regime are those of the settings, where it has none.
            question_id: kept in the answer; an answered question of this ID is not shown as an
                example.
            on_search: gets the search before the answer is written, in the event loop.
            on_text: gets the text of the answer as it is written, in the event loop.
        """
        query = query_of(query)
        with as_of(query.day):
            return await self._answered(query, mode, context, question_id, on_search, on_text)

    answer = blocking(answer_async)

    async def _answered(
        self,
        query: Query,
        mode: str | None,
        context: AnswerContext | None,
        question_id: str | None,
        on_search: OnSearch | None,
        on_text: OnText | None,
    ) -> Answered:
        import generation

        mode = mode or self.settings.answer_mode
        if query.search_help is None:
            query = replace(query, search_help=self._may_help(mode))
        result = await self.search_async(self._deep_enough(query))
        if query.search_help and self.settings.search_order:
            result = await self._helper().order(query.question, result)
        if on_search is not None:
            on_search(result)
        complete = await asyncio.to_thread(
            self._completed, context, query, mode, question_id, result
        )
        answer = await generation.answer_async(
            query.question,
            result.hits,
            question_id=question_id,
            on_text=on_text,
            context=complete,
            mode=mode,
            settings=self._limits(mode, query, result),
            llm=self.answering.models,
            answerable=result.trace.answerable,
        )
        later = self.index.pipeline.works.later
        return Answered(await asyncio.to_thread(answer.with_later, later), result)

    def _may_help(self, mode: str) -> bool:
        """Return whether a language model helps the search of an answer that it is to write."""
        from generation.modes import load_mode

        wanted = self.settings.search_help and self.answering.models is not None
        chosen = load_mode(mode)
        return wanted and chosen.needs_llm and chosen.needs_hits

    def _deep_enough(self, query: Query) -> Query:
        """Return a query with enough hits for an answer where it does not say how many.

        Bare headings are passed over, and there may be as many of them as other passages.
        """
        from generation.search_help import MOST_ORDERED
        from rirag.settings import MOST_HITS

        given = self.settings
        if query.k is not None or "k" in given.model_fields_set:
            return query
        ordered = MOST_ORDERED if query.search_help and given.search_order else 0
        return replace(query, k=max(given.k, ordered, min(2 * given.filter_limit, MOST_HITS)))

    def _completed(
        self,
        context: AnswerContext | None,
        query: Query,
        mode: str,
        question_id: str | None,
        result: SearchResult,
    ) -> AnswerContext:
        """Return the context with what the service adds to it."""
        context = context or AnswerContext()
        examples = context.examples or self.answering.examples(mode)
        if mode == "few-shot" and not examples:
            from rirag.inputs.answer_examples import known_examples

            examples = known_examples(
                query.question, result.trace.similar_questions, self.index, question_id
            )
        return replace(
            context,
            library=context.library or self._library,
            named=context.named or self._named(result),
            unfound=context.unfound or result.trace.unfound,
            in_full=context.in_full or in_full(query.question, result.trace.instead()),
            regime=context.regime or self.settings.regime or "",
            examples=examples,
        )

    def _named(self, result: SearchResult) -> tuple[Passage, ...]:
        """Return the rules that a question names and no hit quotes; of several documents, one's.

        Of an item that a rule does not have, or has in its text, this is the rule. A heading gives
        way to what is below it.
        """
        pinned = [hit.passage for hit in result.hits if hit.scores.number is not None]
        if any(one.kind != "heading" for one in pinned):
            return ()
        documents = list(dict.fromkeys(hit.document_id for hit in result.hits))
        order = {one: place for place, one in enumerate(documents)}
        found = {hit.id for hit in result.hits}
        named: list[Passage] = []
        for rule in result.trace.numbers:
            passages = [self.index.passage(one) for one in rule.ids]
            if rule.finding == "no-such-number":
                passages = [one for one in passages if one.document_id in order]
            if not passages:
                continue
            first = min(passages, key=lambda one: order.get(one.document_id, len(order)))
            passages = [one for one in passages if one.document_id == first.document_id]
            named += [text for one in passages for text in self._texts_of(one, found)]
        return tuple(named[:MOST_NAMED])

    def _texts_of(self, passage: Passage, found: Container[str]) -> list[Passage]:
        """Return a passage; of a heading, what was found below it, or else the first text
        there.

        Of a whole chapter nothing is returned: its name does not say which rule is meant.
        """
        if passage.kind != "heading":
            return [passage]
        below: list[Passage] = []
        for one in in_force(self.index.children(passage)):
            below += [one] if one.kind != "heading" else in_force(self.index.children(one))
        texts = [one for one in below if one.kind != "heading"]
        if len(texts) > MOST_BELOW:
            return []
        return [one for one in texts if one.id in found] or texts[:1]

    def _limits(self, mode: str, query: Query, result: SearchResult) -> AnswerSettings:
        """Return the limits of an answer; unless they are set, the search gives the floor of its
        probability, and the profile the margin.

        A low probability alone is no proof that an answer is absent: it does not hide passages from
        a language model, or where the nearest vector speaks against it, and one that rests on the
        nearest vector alone hides none that speak of the question's subject.
        """
        limits, chosen = self.answering.settings, self.settings.model_fields_set
        if "filter_margin" not in chosen:
            profile = self.index.pipeline.profile(self._asked(query)["profile"])
            limits = replace(limits, filter=replace(limits.filter, margin=profile.answer_margin))
        if "filter_answerable" in chosen:
            return limits
        from generation.filter import NEAREST_SHARE
        from generation.modes import load_mode
        from search.trace import NEAR

        trace, share = result.trace, limits.filter.nearest_share
        if trace.answerable_by == "nearness" or load_mode(mode).needs_llm:
            share = NEAREST_SHARE
        elif trace.nearness is not None and trace.nearness >= NEAR:
            share = 0
        floor = replace(limits.filter, min_answerable=trace.doubtful_below, nearest_share=share)
        return replace(limits, filter=floor)

    async def verify_async(self, answer: AnswerRecord, *, in_index: bool = False) -> Verification:
        """Check each statement of an answer against the passages that it cites.

        `verify` waits for it, with the same arguments.

        Args:
            answer: one that `rirag.inputs.answer_records` read.
            in_index: whether the texts are taken from the index instead of the answer.
        """
        verifier = await asyncio.to_thread(lambda: self._verifier)
        held = await asyncio.to_thread(self._held, answer) if in_index else None
        return await verifier.verify_async(answer, held)

    verify = blocking(verify_async)

    def _held(self, answer: AnswerRecord) -> dict[str, Passage]:
        """Return those of the passages that an answer cites which the index holds."""
        ids = [one.id for one in answer.cited]
        return {one.id: one for one in self.passages({"id": ids})} if ids else {}

    # Documents and passages

    def describe(self) -> IndexDescription:
        """Return what the index holds."""
        return self._current(self.index.describe)

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""
        return self._current(self.index.documents)

    def document(self, name: str) -> DocumentSummary:
        """Return the document that a DocumentID, short code or title means.

        Raises:
            InputError: there is none, or several.
        """
        return self._current(lambda: named_document(self.index, name))

    def passages(self, filters: Mapping[str, Sequence[str]] | None = None) -> list[Passage]:
        """Return the passages that meet filters, in the order of their documents."""
        return self._current(lambda: self.index.passages(filters))

    def passage(self, passage_id: str) -> Passage:
        """Return one passage by its `ID`; an unknown one is an `InputError`."""
        return self._current(lambda: self.index.passage(passage_id))

    def versions(self, document_id: str) -> list[VersionState]:
        """Return the versions of a document, oldest first; an unknown one is an `InputError`."""
        return self._current(lambda: self.index.versions(document_id))

    def rule_history(self, document_id: str, number: str) -> list[RuleState]:
        """Return the wordings of a rule, oldest first, each with its days."""
        return self._current(lambda: self.index.rule_history(document_id, number))

    def compare(self, document_id: str, old: str = "", new: str = "", **how: Any) -> Comparison:
        """Return what changed between two versions of a document, as `Index.compare` does."""
        return self._current(lambda: self.index.compare(document_id, old, new, **how))

    def changes(self, since: str, until: str = "", document: str = "") -> list[Amendment]:
        """Return what changed in all works, or in one, as `Index.changes` does."""
        return self._current(lambda: self.index.changes(since, until, document))

    def numbered(self, document_id: str, number: str) -> Numbered:
        """Return the passages of a number in a document, or those around it."""
        return self._current(lambda: numbered_passages(self.index, document_id, number))

    def neighbours(self, passage: Passage | Hit, count: int = 1) -> list[Passage]:
        """Return up to `count` passages before and after one, in the order of the document."""
        return self._current(lambda: self.index.neighbours(passage, count)) if count else []

    def links(self, passages: Sequence[Passage | Hit], inward: bool = True) -> list[Links]:
        """Return the links of each passage; without `inward`, not what cites it."""
        state = f"{self.index.pipeline.states()} {asked_day()}"
        keys = {(state, one.id, inward): one for one in passages}
        found = self._links.known(keys)
        if new := {key: one for key, one in keys.items() if key not in found}:
            made = self._current(lambda: self.index.links([*new.values()], inward))
            found |= zip(new, made, strict=True)
            self._links.keep(found)
        return [found[state, one.id, inward] for one in passages]

    # State

    def refresh(self) -> bool:
        """Open the newest state of the index; return whether there was a newer one."""
        return self.index.refresh()

    @property
    def problem(self) -> str:
        """Why the last look for a newer state failed; empty: it did not."""
        return str((self._refresher and self._refresher.problem) or "")

    def close(self) -> None:
        """Close the index; searches that have begun are finished."""
        if self._refresher is not None:
            self._refresher.stop()
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
