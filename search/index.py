"""Open indexes and search them: the Python API of search."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from search.answered_questions.questions import AnsweredQuestion, url_beside
from search.answered_questions.retriever import open_answered_questions
from search.engines import locate, url_of
from search.engines.protocol import Engine, IndexDescription
from search.errors import IndexUnavailableError, InputError, RiragError
from search.law_in_time import (
    STATUS,
    STATUS_IN_TIME,
    by_status,
    day_of,
    intervals_in,
    shown_fields,
)
from search.law_in_time import as_of as on_day
from search.lookup.question import FilterConditions, resolve_filters
from search.messages.arguments import (
    passage_of,
    passages_of,
    several_ids,
    text_or_path,
    whole_number,
)
from search.models.encoders.asking import AskedVectors
from search.models.encoders.identity import check_encoder, identity_of
from search.models.encoders.protocol import Encoder
from search.models.given import encoder_of_index, given_encoder, given_reranker
from search.models.rerankers.protocol import Reranker
from search.pipeline import MAX_K, Pipeline, SearchResult
from search.provisions.documents.names import DocumentNames
from search.ranking.profile_file import DEFAULT_PROFILE
from search.ranking.profiles import Profile
from search.ranking.tuning import read_tuning, state_of
from search.records import LANGUAGE, DocumentSummary, EncoderIdentity, Hit, InTime, Passage
from search.versions.changes import Amendment, amendments, check_days
from search.versions.compare import Comparison, Level
from search.versions.history import Version
from search.versions.works import RuleState, VersionState
from search.why import Why, why

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.lookup.links import Links

P = ParamSpec("P")
T = TypeVar("T")


def in_a_thread(work: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return a function that does the same without blocking the event loop."""

    @wraps(work)
    async def threaded(*given: P.args, **named: P.kwargs) -> T:
        return await asyncio.to_thread(work, *given, **named)

    return threaded


class Index:
    """One complete state of an index, open for search.

    It can be shared between threads, and used as a context manager. What others load meanwhile is
    seen after `refresh`. On a server, a state that was replaced is kept for a while only: searching
    it afterwards is an `IndexUnavailableError`, and `refresh` mends that.
    """

    def __init__(
        self,
        url: str | os.PathLike[str],
        encoder: str | os.PathLike[str] | Encoder | None = None,
        reranker: str | os.PathLike[str] | Reranker | None = None,
        server: ServerOptions | None = None,
        tuning: str | os.PathLike[str] | None = None,
    ) -> None:
        """Open the index; `open` says what the arguments are."""
        self.url = url_of(url)
        self._folder = None if "://" in self.url else Path(self.url).absolute()
        self._server = server
        self._tuning = None if tuning is None else Path(text_or_path(tuning, "the tuning file"))
        self._given_encoder = None if encoder is None else given_encoder(encoder)
        self._lock = threading.Lock()
        self._refreshing = threading.Lock()
        self._closed = False
        self._searches: Counter[Engine] = Counter()
        self._asked = AskedVectors()
        self._pipeline = self._open(None if reranker is None else given_reranker(reranker))

    def _open(self, reranker: Reranker | None, loaded: Encoder | None = None) -> Pipeline:
        """Open the newest state; `loaded` is an encoder that will do if it is the right one."""
        url = self._url_here()
        backend = locate(url, self._server)
        engine = backend.open(url)
        try:
            encoder = self._encoder(engine.describe().encoder, loaded)
            names = DocumentNames(engine.documents(), self.url)
            asked_before, note = open_answered_questions(backend, url, engine)
            known = engine.describe().filter_fields
            dated, spoken = (
                engine.values(one) if one in known else () for one in (STATUS_IN_TIME, LANGUAGE)
            )
            tuning = read_tuning(self._tuning, spoken)
        except BaseException:
            engine.close()
            raise
        return Pipeline(engine, encoder, names, reranker, asked_before, note, dated, spoken, tuning)

    def _url_here(self) -> str:
        """Return the URL, whichever directory the process has gone to since."""
        moved = self._folder is not None and Path(self.url).absolute() != self._folder
        return str(self._folder) if moved else self.url

    def _encoder(self, stored: EncoderIdentity, loaded: Encoder | None) -> Encoder:
        if self._given_encoder is None and loaded is not None and identity_of(loaded) == stored:
            return loaded
        encoder = self._given_encoder or encoder_of_index(self.url, stored)
        check_encoder(self.url, stored, encoder)
        return encoder

    def search(  # noqa: PLR0913 - all but the first two are named
        self,
        question: str,
        k: int = 10,
        *,
        profile: str | os.PathLike[str] | Profile = DEFAULT_PROFILE,
        filters: FilterConditions | None = None,
        rerank: bool = True,
        answered_questions: bool = True,
        leave_out: Collection[str] = (),
        formulations: Sequence[str] = (),
        others: bool = False,
        as_of: str | None = None,
    ) -> SearchResult:
        """Find the passages that bear on a question.

        Args:
            question: in words, or naming a rule by its number.
            k: how many hits, 1 to 1,000; never more than the retrievers propose together.
            profile: how the retrievers are weighed: a profile, its name, or a file with one;
                `default` means the one fitted for the index's encoder, if there is one.
            filters: conditions on document, kind or metadata.
            rerank: whether to use the reranker that the index was opened with.
            answered_questions: whether those of the index vote.
            leave_out: IDs of answered questions that must not vote, so that an evaluation's
                question does not answer itself.
            formulations: other words for the question, of which the first `MOST` are searched too.
            others: whether the result has the other passages that were found, too.
            as_of: the day whose law is searched, as `2026-12-31`; `all`: whatever was or will be
                law; `=` and a name: the versions of that name; None: that of `search.as_of`, or
                that which the question asks for ("in force on 1 March 2020").

        Raises:
            InputError: the question is empty, k out of range, or a filter or profile unknown.
            ModelError: the encoder failed.
        """
        k, left_out = whole_number(k, "k", 1, MAX_K), several_ids(leave_out)
        with on_day(day_of(question, as_of)), self._in_use(rerank, answered_questions) as pipeline:
            chosen = _chosen(profile, pipeline)
            prepared = pipeline.prepare(question, chosen, filters, left_out, formulations)
            self._asked.keep(prepared.encoder, question, prepared.request.vector)
            return pipeline.finish(pipeline.find(prepared), k, others)

    search_async = in_a_thread(search)

    def why(
        self,
        question: str,
        passage_id: str,
        k: int = 10,
        *,
        profile: str | os.PathLike[str] | Profile = DEFAULT_PROFILE,
        filters: FilterConditions | None = None,
        rerank: bool = True,
        answered_questions: bool = True,
        as_of: str | None = None,
    ) -> Why:
        """Return where a passage was at each step of a search, and what kept it back.

        Args:
            question: as in `search`, as the other arguments are.
            passage_id: `ID` of the passage.
            k: how many hits are shown.
            profile, filters, rerank, answered_questions, as_of: as in `search`.

        Raises:
            InputError: as `search`, and where the index has no such passage.
        """
        k, passage = whole_number(k, "k", 1, MAX_K), self.passage(passage_id)
        with on_day(day_of(question, as_of)), self._in_use(rerank, answered_questions) as pipeline:
            return why(pipeline, question, passage, _chosen(profile, pipeline), k, filters)

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of the index, in the order they were first loaded."""
        with self._in_use() as pipeline:
            return pipeline.engine.documents()

    def passages(self, filters: FilterConditions | None = None) -> list[Passage]:
        """Return the passages that meet filters, in the order of their documents.

        Of a document with versions, those of the asked day (`search.as_of`) are returned, unless
        `id` or `status` is among the filters.

        Raises:
            InputError: a filter is unknown, or names an unknown kind or, as `document`, an unknown
                document; a `document_id` that the index lacks has no passages.
        """
        with self._in_use() as pipeline:
            conditions = resolve_filters({} if filters is None else filters, pipeline.names)
            found = pipeline.engine.find(by_status(conditions, pipeline.stored_statuses))
            passages = [passage for _, passage in found]
            named = conditions.fields.keys() & {"id", STATUS}
            return passages if named else pipeline.works.of_day(passages)

    def passage(self, passage_id: str) -> Passage:
        """Return one passage by its `ID`.

        Raises:
            InputError: the index has none of this ID, or it is not text.
        """
        if not isinstance(passage_id, str):
            raise InputError(
                f"the ID of a passage must be a text, not {passage_id!r:.80}",
                code="argument.invalid",
            )
        found = self.passages({"id": passage_id})
        if not found:
            raise InputError(
                f"no passage has the ID {passage_id!r} in {self.url}",
                code="passage.unknown",
            )
        return found[0]

    def rarities(self, terms: Collection[str]) -> dict[str, float]:
        """Return how rare index terms are: the BM25 score of each in the passage it fits best.

        Of a term that no passage has it is 0; one that nearly all have is near 0.

        Args:
            terms: as `search.text.analyzer.tokens` makes them.
        """
        with self._in_use() as pipeline:
            return {term: pipeline.best_score(term) for term in terms}

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of a question and each text, by the encoder of the index, -1 to 1.

        A question that was just searched for is not encoded again.

        Raises:
            ModelError: the encoder failed.
        """
        if not texts:
            return []
        with self._in_use() as pipeline:
            asked = self._asked.take(pipeline.encoder, question)
            found: list[float] = (pipeline.encoder.encode_passages(texts).vectors @ asked).tolist()
            return found

    def neighbours(self, passage: Passage | Hit, count: int = 1) -> list[Passage]:
        """Return up to `count` passages before and after one, in the order of the document.

        Raises:
            InputError: `count` is below 0, or the index has the passage no more.
        """
        this, count = passage_of(passage), whole_number(count, "count", 0)
        document = self.passages({"document_id": this.document_id})
        # Not by its order: a later load may have put others before it.
        place = next((place for place, one in enumerate(document) if one.id == this.id), None)
        if place is None:
            raise InputError(
                f"no passage has the ID {this.id!r} in {self.url}", code="passage.unknown"
            )
        return document[max(place - count, 0) : place] + document[place + 1 : place + 1 + count]

    def ancestors(self, passage: Passage | Hit) -> list[Passage]:
        """Return the passages that enclose one, outermost first."""
        found: list[Passage] = []
        parent = passage_of(passage).parent
        while parent is not None:
            found.append(self._wording(self.passage(parent)))
            parent = found[-1].parent
        return found[::-1]

    def _wording(self, passage: Passage) -> Passage:
        """Return the wording of a passage's rule in the version of the asked day, if it has one."""
        with self._in_use() as pipeline:
            ids = pipeline.works.rule_ids(passage)
            held = self.passages({"id": ids}) if ids[1:] else []
            return next(iter(pipeline.works.of_day(held)), passage)

    def children(self, passage: Passage | Hit) -> list[Passage]:
        """Return the passages directly below one."""
        with self._in_use() as pipeline:
            return self.passages({"parent": pipeline.works.rule_ids(passage_of(passage))})

    def siblings(self, passage: Passage | Hit) -> list[Passage]:
        """Return the other passages below the same parent; none for a passage without one."""
        this = passage_of(passage)
        if this.parent is None:
            return []
        below = self.children(self.passage(this.parent))
        return [one for one in below if one.id != this.id]

    def answered_questions(self) -> list[AnsweredQuestion]:
        """Return the answered questions that vote, in the order of their index."""
        with self._in_use() as pipeline:
            return (
                []
                if pipeline.answered_questions is None
                else pipeline.answered_questions.questions()
            )

    def links(self, passages: Sequence[Passage | Hit], inward: bool = True) -> list[Links]:
        """Return what each passage cites, what cites it, and where its terms are defined.

        Args:
            passages: whose links are wanted.
            inward: whether to look for what cites them, which takes longest.
        """
        from search.lookup.links import LinkFinder

        wanted = passages_of(passages)
        with self._in_use() as pipeline:
            finder = LinkFinder(pipeline.engine, pipeline.names)
            return [finder.links(passage, inward) for passage in wanted]

    def cited(self, passages: Sequence[Passage | Hit]) -> list[Passage]:
        """Return the passages of the index that some passages name, in the order of their texts."""
        from search.lookup.links import LinkFinder

        wanted = passages_of(passages)
        with self._in_use() as pipeline:
            finder = LinkFinder(pipeline.engine, pipeline.names)
            cites = [one for passage in wanted for one in finder.cites(passage)]
            return [one.target for one in cites if one.target is not None and not one.relative]

    def document_ids(self, name: str) -> tuple[str, ...]:
        """Return the documents that a DocumentID, short code or title means, best first.

        Raises:
            InputError: the name is not text.
        """
        if not isinstance(name, str):
            raise InputError(
                f"the name of a document must be a text, not {name!r:.80}", code="argument.invalid"
            )
        with self._in_use() as pipeline:
            return pipeline.names.called(name)

    @property
    def pipeline(self) -> Pipeline:
        """The engine, encoder and names behind the index, for measuring its stages."""
        return self._pipeline

    def asked_version(self, document_id: str) -> Version | None:
        """Return the version of a document on the asked day; None: it has no versions.

        Raises:
            InputError: it has, and none on that day.
        """
        with self._in_use() as pipeline:
            return pipeline.works.asked_version(document_id)

    def in_time(self, passage: Passage) -> InTime:
        """Return when a passage is law, as on the asked day."""
        with self._in_use() as pipeline:
            return pipeline.works.in_time(passage)

    def versions(self, document_id: str) -> list[VersionState]:
        """Return the versions of a document, oldest first.

        Raises:
            InputError: the index has no such document.
        """
        with self._in_use() as pipeline:
            return pipeline.works.versions(document_id)

    def rule_history(self, document_id: str, number: str) -> list[RuleState]:
        """Return the wordings of a rule, oldest first, each with its days.

        Raises:
            InputError: the index has no such document or rule.
        """
        with self._in_use() as pipeline:
            return pipeline.works.rule(document_id, number)

    def compare(
        self,
        document_id: str,
        old: str = "",
        new: str = "",
        *,
        rule: str = "",
        level: Level = "unit",
        with_editorial: bool = False,
    ) -> Comparison:
        """Return what changed between two versions of a document.

        Args:
            document_id: of the document.
            old, new: names of versions, or days; empty: the last two, or the one before.
            rule: number of the only rule of interest; empty: all.
            level: `unit` compares articles and sections, `passage` each of their passages.
            with_editorial: whether changes of form alone are listed, too.

        Raises:
            InputError: there is no such document, version or rule, or only one version.
        """
        with self._in_use() as pipeline:
            return pipeline.works.compare(
                document_id, old, new, rule=rule, level=level, with_editorial=with_editorial
            )

    def changes(self, since: str, until: str = "", document: str = "") -> list[Amendment]:
        """Return what changed in all works, the latest first, and what that affects.

        Args:
            since: first day, as `2026-12-31`.
            until: last day; empty: there is none, so that the future is in it.
            document: DocumentID of the only work of interest; empty: all.

        Raises:
            InputError: a day is none, or there is no such document.
        """
        from search.lookup.affected import AffectedFinder

        check_days(since, until)
        with self._in_use() as pipeline:
            works, engine = pipeline.works, pipeline.engine
            documents = [one for one in engine.documents() if document in ("", one.document_id)]
            if document and not documents:
                raise InputError(f"the index has no document {document!r}", code="document.unknown")
            if not any(intervals_in(one) for one in pipeline.stored_statuses):
                return []
            found = amendments(works, documents, since, until)
            finder = AffectedFinder(engine, pipeline.names, self.answered_questions())
            return [finder.told(one, works.history(one.comparison.document_id)) for one in found]

    def describe(self) -> IndexDescription:
        """Return what the index holds."""
        with self._in_use() as pipeline:
            about = pipeline.engine.describe()
        return replace(about, filter_fields=shown_fields(about.filter_fields))

    def verify(self) -> list[str]:
        """Check every stored byte; return one sentence a problem."""
        with self._in_use() as pipeline:
            return pipeline.engine.verify()

    def refresh(self) -> bool:
        """Open the newest state; return whether there was a newer one."""
        with self._refreshing:  # one at a time: what was opened first would go in last otherwise
            return self._refresh()

    def _refresh(self) -> bool:
        with self._lock:
            self._refuse_if_closed()
        if self._is_newest():
            return False
        newest = self._open(self._pipeline.reranker, self._pipeline.encoder)
        try:
            changed = newest.states() != self._pipeline.states()
            with self._lock:
                self._refuse_if_closed()  # another thread may have closed it meanwhile
                old, self._pipeline = self._pipeline, newest
                unused = not self._searches[old.engine]
        except BaseException:
            newest.close()
            raise
        if unused:
            old.close()
        return changed

    def _is_newest(self) -> bool:
        """Return whether the newest state is the open one, without opening it again."""
        url, pipeline = self._url_here(), self._pipeline
        backend = locate(url, self._server)
        beside = url_beside(url)
        try:
            newest = (
                backend.state(url),
                backend.state(beside) if backend.exists(beside) else "",
                state_of(self._tuning),
            )
        except RiragError:  # opening says what is wrong, or does without the answered questions
            return False
        return newest == pipeline.states()

    def close(self) -> None:
        """Free what the index holds; searching afterwards is an `IndexUnavailableError`.

        Searches that other threads have begun are finished, and the last of them frees it.
        """
        with self._lock:
            self._closed = True
            unused = not self._searches[self._pipeline.engine]
        if unused:
            self._pipeline.close()

    def __enter__(self) -> Self:
        with self._lock:
            self._refuse_if_closed()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise IndexUnavailableError(
                f"the index {self.url} was closed; open it again", code="index.closed"
            )

    @contextmanager
    def _in_use(self, rerank: bool = True, answered_questions: bool = True) -> Iterator[Pipeline]:
        """Hold the current state open; one that was replaced or closed goes with its last user."""
        with self._lock:
            self._refuse_if_closed()
            pipeline = self._pipeline
            self._searches[pipeline.engine] += 1
        try:
            yield _with(pipeline, rerank, answered_questions)
        finally:
            with self._lock:
                self._searches[pipeline.engine] -= 1
                last = not self._searches[pipeline.engine]
                retired = self._closed or pipeline is not self._pipeline
                if last:
                    del self._searches[pipeline.engine]
            if last and retired:
                pipeline.close()


def open(  # noqa: A001 - reads as search.open(...)
    url: str | os.PathLike[str] = "rirag-index",
    *,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    reranker: str | os.PathLike[str] | Reranker | None = None,
    server: ServerOptions | None = None,
    tuning: str | os.PathLike[str] | None = None,
) -> Index:
    """Open an index for search.

    Args:
        url: a folder, `elasticsearch+http(s)://host:9200/NAME` or `opensearch+http(s)://…`.
        encoder: name or folder of an encoder, or one that is loaded already; None: the one that
            the index was made with.
        reranker: name or folder of a reranker, or one that is loaded already; None: no
            reranking.
        server: credentials and limits; None: the environment's `RIRAG_SERVER_*`.
        tuning: file of synonyms and pinned rules (docs/tuning.md); None: there is none.

    Raises:
        IndexUnavailableError: there is no readable index.
        EncoderMismatchError: the index was made with another encoder.
        InputError: no index, encoder or reranker can have this name, or the tuning file cannot be
            used.
        ModelError: the encoder or reranker cannot be loaded, or is none.
    """
    return Index(url, encoder, reranker, server, tuning)


def _with(pipeline: Pipeline, rerank: bool, answered_questions: bool) -> Pipeline:
    """Return a pipeline without what is not wanted."""
    if pipeline.reranker is not None and not rerank:
        pipeline = replace(pipeline, reranker=None)
    if answered_questions:
        return pipeline
    return replace(pipeline, answered_questions=None, answered_questions_note="")


def _chosen(profile: str | os.PathLike[str] | Profile, pipeline: Pipeline) -> Profile:
    if isinstance(profile, Profile):
        return profile
    if not isinstance(profile, str | os.PathLike):
        raise InputError(
            f"a profile must be a search.Profile, the name of one, or a file, not {profile!r:.80}",
            code="argument.invalid",
        )
    return pipeline.profile(profile)
