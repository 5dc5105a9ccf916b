"""One change of the answered questions of an index: read, changed and stored in one load."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.load.documents import document_hash
from indexer.load.encoding import Encode, Texts, encode_missing, vector_hash
from indexer.load.index_encoder import describe
from indexer.load.progress import Progress, storing
from indexer.load.spool import ENCODED, KNOWN, TRUNCATED, Batch, Spool
from search.answered_questions.questions import (
    NAME,
    TITLE,
    AnsweredQuestion,
    keeps_questions,
    url_beside,
)
from search.contexts import Contexts
from search.engines import locate
from search.engines.protocol import Backend, IndexDescription, Load
from search.engines.stored_rows import Record
from search.errors import IndexLostError, InputError
from search.messages.refusals import on_index
from search.models.encoders.identity import check_encoder, identity_of
from search.ranking.learned.fitted_for import title_hash
from search.records import Filters
from search.text.analyzer import tokens

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.models.encoders.protocol import EncodedPassages, Encoder

Known = dict[str, AnsweredQuestion]
QUESTIONS = Contexts(frozenset({title_hash(TITLE)}))
"""Answered questions are read without context: they are under no heading."""
"""ID → question."""


@dataclass(frozen=True, slots=True)
class QuestionsPlace:
    """Where the questions are, and what encodes them."""

    backend: Backend
    index_url: str
    encoder: Encoder

    @classmethod
    def of(
        cls, index_url: str, server: ServerOptions | None, encoder: Encoder | None = None
    ) -> QuestionsPlace:
        """Return the place of an index, with its own encoder unless one is given.

        Raises:
            InputError: the index keeps the answered questions of another one.
            IndexUnavailableError: there is no such index.
            EncoderMismatchError: the encoder is not that of the index.
        """
        from search.models.given import encoder_of_index

        backend = locate(index_url, server)
        refuse_answered_questions(backend, index_url)
        stored = describe(backend, index_url).encoder
        encoder = encoder or encoder_of_index(index_url, stored)
        check_encoder(index_url, stored, encoder)
        return cls(backend, index_url, encoder)

    @property
    def url(self) -> str:
        """Of the index that keeps the questions."""
        return url_beside(self.index_url)


@dataclass(frozen=True, slots=True)
class QuestionsChange:
    """What a load of answered questions did."""

    before: Known
    after: Known
    encoded: int
    """Questions encoded in this run."""
    reused: int
    """Questions of changed groups whose vector was known."""
    index: IndexDescription | None
    """The index that keeps them; None where no question was ever known."""


def change_questions(
    place: QuestionsPlace, change: Callable[[Known], Known], progress: Progress
) -> QuestionsChange:
    """Replace the answered questions by what `change` makes of them, in one load.

    Where another encoder made their vectors, all are encoded again.

    Raises:
        InputError: the index beside this one holds something else.
        IndexBusyError: another process is changing the answered questions.
    """
    about = described_questions(place.backend, place.index_url)
    identity = identity_of(place.encoder)
    rebuild = about is not None and about.encoder != identity
    with place.backend.load(place.url, identity, rebuild=rebuild) as load, Spool.opened() as spool:
        # From here on nobody else can change them.
        before = held_questions(place.backend, place.index_url)
        after = change(before)
        index = _store(load, spool, after, place.encoder, progress)
        return QuestionsChange(
            before=before,
            after=after,
            encoded=spool.count(ENCODED, TRUNCATED),
            reused=spool.count(KNOWN),
            index=index or about,
        )


def forget_all(place: QuestionsPlace, progress: Progress) -> QuestionsChange:
    """Let an index know no questions, in one load, even where what keeps them has lost parts.

    Raises:
        InputError: the index beside this one holds something else.
        IndexBusyError: another process is changing the answered questions.
    """
    loading = place.backend.load(place.url, identity_of(place.encoder), rebuild=True)
    with loading as load, Spool.opened() as nothing:
        before: Known = {}
        with suppress(IndexLostError):
            before = held_questions(place.backend, place.index_url)
        index = load.commit(nothing, storing(progress))
        return QuestionsChange(before=before, after={}, encoded=0, reused=0, index=index)


def _store(
    load: Load, spool: Spool, questions: Known, encoder: Encoder, progress: Progress
) -> IndexDescription | None:
    """Give the groups that differ to the load and complete it; None if none differs."""
    spool.contexts = QUESTIONS
    loaded = load.document_hashes()
    groups = _groups(questions.values())
    gone = [name for name in loaded if name not in groups]
    for name in gone:
        load.delete_document(name)
    for name, members in groups.items():
        passages = [one.as_passage(order) for order, one in enumerate(members)]
        content_hash = document_hash(passages, QUESTIONS)
        if loaded.get(name) != content_hash:
            # No numbers: an ID is not a rule.
            spool.put(name, content_hash, (
                Record(one, tuple(tokens(one.text)), (), vector_hash(one, QUESTIONS))
                for one in passages
            ))  # fmt: skip
    if not (gone or spool.hashes()):
        return None
    encode_missing(spool, load, _as_questions(encoder), progress)
    return load.commit(spool, storing(progress))


def _as_questions(encoder: Encoder) -> Encode:
    """Return how answered questions are encoded: as asked ones, since they are compared."""
    from search.models.encoders.asking import encode_questions
    from search.models.encoders.protocol import EncodedPassages

    def encode(texts: Texts) -> Iterator[tuple[Batch, EncodedPassages]]:
        for batch, wanted in texts:
            vectors = encode_questions(encoder, wanted)
            yield batch, EncodedPassages(vectors, (False,) * len(wanted))

    return encode


def _groups(questions: Iterable[AnsweredQuestion]) -> dict[str, list[AnsweredQuestion]]:
    groups: dict[str, list[AnsweredQuestion]] = {}
    for question in sorted(questions, key=lambda one: one.id):
        groups.setdefault(question.group, []).append(question)
    return groups


def held_questions(backend: Backend, index_url: str) -> Known:
    """Return what an index knows now."""
    if described_questions(backend, index_url) is None:
        return {}
    with closing(backend.open(url_beside(index_url))) as engine:
        found = (AnsweredQuestion.of(passage) for _, passage in engine.find(Filters()))
        return {one.id: one for one in found}


def described_questions(backend: Backend, index_url: str) -> IndexDescription | None:
    """Return what the index with the answered questions of another one says; None: there is none.

    Raises:
        InputError: it holds something else.
    """
    url = url_beside(index_url)
    if not backend.exists(url):
        return None
    with closing(backend.open(url)) as engine:
        if keeps_questions(engine):
            return engine.describe()
    raise InputError(
        f"{url} is reserved for answered questions, but another index exists there; load "
        "one of the two elsewhere",
        code="answered-question.place",
    )


def refuse_answered_questions(backend: Backend, url: str) -> None:
    """Refuse to change the answered questions of an index as if they were an index.

    Raises:
        InputError: the index at the URL keeps answered questions.
    """
    if not backend.exists(url):
        return
    with closing(backend.open(url)) as engine:
        if not engine.documents() or not keeps_questions(engine):
            return
    ways = ["rirag questions add FILE", "rirag questions remove ID", "rirag reindex"]
    owner = _owner(backend, url)
    if owner is not None:
        ways = [on_index(way, owner) for way in ways]
    raise InputError(
        f"{url} holds the answered questions of {owner or 'another index'}; change them with: "
        + ", or ".join(ways),
        code="answered-question.place",
    )


def _owner(backend: Backend, url: str) -> str | None:
    """Return the index whose answered questions have a URL; None where its name does not tell."""
    there = url.rstrip("/")
    before = there.removesuffix(NAME)[:-1]  # without what joins the two names
    if before and url_beside(before) == there and backend.exists(before):
        return before
    return None
