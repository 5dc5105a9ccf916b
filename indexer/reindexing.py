"""Rebuild an index from its contents, with another encoder or in a newer format."""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.answered_questions.change import follow_rollback, reencode_questions
from indexer.answered_questions.load import described_questions, refuse_answered_questions
from indexer.load.documents import document_hash, records_of
from indexer.load.encoding import encode_missing
from indexer.load.index_encoder import describe, loaded
from indexer.load.progress import Progress, listener, storing
from indexer.load.report import TOO_LONG, Place, count, listed
from indexer.load.spool import ENCODED, KNOWN, TRUNCATED, Spool
from indexer.load.workers import encoding_with
from search.contexts import contexts_of
from search.engines import locate, url_of
from search.engines.protocol import Engine, IndexDescription
from search.engines.terms import with_language
from search.errors import IndexBusyError, IndexCorruptError, IndexUnavailableError
from search.json_form import Record
from search.messages.refusals import on_index
from search.models.encoders.identity import identity_of
from search.records import Filters

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.models.encoders.protocol import Encoder


@dataclass(frozen=True, slots=True)
class ReindexReport(Record):
    """The result of `reindex`: the index before and after."""

    before: IndexDescription
    after: IndexDescription
    encoded: int
    """Texts encoded in this run."""
    reused: int
    """Texts whose vector was known already."""
    truncated: tuple[Place, ...]
    """Passages encoded in this run whose end the encoder cut off."""
    questions: int
    """Answered questions that were rebuilt too."""
    seconds: float
    """Wall-clock time of the run."""

    def summary(self) -> str:
        """Return a few lines for people."""
        old, new = self.before.encoder.name, self.after.encoder.name
        kept = (
            f"The previous state, generation {self.before.generation}, is kept until the next load"
        )
        if self.after.engine != "embedded":
            kept += "; return to it with: " + on_index("rirag reindex --rollback", self.after.url)
        return "\n".join(
            [
                (
                    f"{self.after.url} was rebuilt in {self.seconds:.1f} s: "
                    f"{count(self.after.passages, 'passage')} of "
                    f"{count(self.after.documents, 'document')}, "
                )
                + (f"encoder {new}" if old == new else f"encoder {new} instead of {old}")
                + f", vectors {self.after.vector_search}.",
                f"Encoded {count(self.encoded, 'text')}, reused {self.reused:,}.",
                *self._questions(),
                *listed(self.truncated, TOO_LONG),
                f"{kept}.",
            ]
        )

    def _questions(self) -> list[str]:
        return (
            [f"{count(self.questions, 'answered question')} rebuilt too."] if self.questions else []
        )


def reindex(
    index_url: str | os.PathLike[str],
    *,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    server: ServerOptions | None = None,
) -> ReindexReport:
    """Rebuild an index from its passages and replace its state.

    Searches continue meanwhile, and what was searchable before is until the very end. Vectors of
    the same encoder are used again. Answered questions of the index follow with the same encoder.

    Args:
        index_url: of the index.
        encoder: of the new state: its name or folder, or one that is loaded already; None for the
            one that the index has.
        progress: called during the run.
        workers: processes that encode, as for `ingest`.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: an index of its own is in the place of the answered questions, or the index
            keeps those of another one.
        IndexUnavailableError: there is no such index.
        IndexCorruptError: it does not hold all that it should.
        IndexBusyError: another process is loading into it, or has just given it another encoder.
        ModelError: the encoder cannot be loaded, fails, or gives something else than vectors.
    """
    started = time.perf_counter()
    url, chosen = url_of(index_url), loaded(encoder)
    backend = locate(url, server)
    progress = listener(progress)
    refuse_answered_questions(backend, url)
    described_questions(backend, url)  # refuses an index that keeps something else
    found = describe(backend, url)
    chosen = chosen or _load(found.encoder.name)
    with Spool.opened() as spool:
        spool.contexts = contexts_of(chosen.revision)
        with backend.load(url, identity_of(chosen), rebuild=True) as load:
            # From here on nobody else can change it.
            with closing(backend.open(url)) as old:
                before = old.describe()
                if encoder is None:
                    _refuse_another_encoder(found, before)
                _read_back(old, spool, progress)
            with encoding_with(chosen, workers) as encode:
                encode_missing(spool, load, encode, progress)
            after = load.commit(spool, storing(progress))
        questions = reencode_questions(backend, url, chosen, progress)
        return ReindexReport(
            before=before,
            after=after,
            encoded=spool.count(ENCODED, TRUNCATED),
            reused=spool.count(KNOWN),
            truncated=tuple(Place.of(passage) for passage in spool.truncated()),
            questions=questions,
            seconds=time.perf_counter() - started,
        )


def rollback(
    index_url: str | os.PathLike[str], *, server: ServerOptions | None = None
) -> IndexDescription:
    """Return to the state before the last completed load.

    If it has another encoder, the answered questions are encoded with that one again.

    Raises:
        InputError: there is none, the index is a folder, or it keeps the answered questions of
            another one.
        IndexUnavailableError: there is no such index.
    """
    url = url_of(index_url)
    backend = locate(url, server)
    with suppress(IndexUnavailableError):  # what cannot be read needs the way back all the more
        refuse_answered_questions(backend, url)
    state = backend.rollback(url)
    follow_rollback(backend, url, state.encoder)
    return state


def _refuse_another_encoder(found: IndexDescription, held: IndexDescription) -> None:
    """Refuse an index whose encoder changed while its previous state was being read."""
    if held.encoder != found.encoder:
        raise IndexBusyError(
            f"another process has just rebuilt {held.url} with the encoder "
            f"{held.encoder.name} instead of {found.encoder.name}; run the same "
            "command again"
        )


def _read_back(old: Engine, spool: Spool, progress: Progress) -> None:
    """Copy every passage into the spool, each document as it was loaded."""
    about = old.describe()
    documents, passages = old.documents(), 0
    for done, document in enumerate(documents, start=1):
        name = document.document_id
        held = with_language([one for _, one in old.find(Filters({"document_id": (name,)}))])
        history = old.history(name)
        content_hash = document_hash(held, spool.contexts, history)
        spool.put(name, content_hash, records_of(held, spool.contexts), history)
        passages += len(held)
        progress("read", done, len(documents))
    if (passages, len(documents)) != (about.passages, about.documents):
        raise IndexCorruptError(
            f"the index {about.url} should hold {count(about.passages, 'passage')} of "
            f"{count(about.documents, 'document')}, but {count(passages, 'passage')} of "
            f"{count(len(documents), 'document')} can be read; run: "
            + on_index("rirag doctor", about.url)
        )


def _load(name: str) -> Encoder:
    from search.models.encoders import load_encoder

    return load_encoder(name)
