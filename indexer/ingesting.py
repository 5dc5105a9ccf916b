"""Load passages: reader → hierarchy → already known? → encoder → engine."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from indexer.answered_questions.load import refuse_answered_questions
from indexer.git_history import CommitDates, read_history, texts_of
from indexer.languages import unread_documents
from indexer.load.documents import arrange_documents, gone_from, held_by, namesakes_of
from indexer.load.encoding import encode_missing
from indexer.load.in_force import unread_note
from indexer.load.index_encoder import describe, encoder_of, loaded
from indexer.load.progress import Progress, listener, storing
from indexer.load.reading import read_into
from indexer.load.report import IngestReport, Place, Unencoded, count
from indexer.load.shards import files_in, opened
from indexer.load.sources import Sources, find_sources, unread
from indexer.load.spool import ENCODED, KNOWN, TRUNCATED, Spool
from indexer.load.titles import Titles
from indexer.load.workers import encoding_with, leave_if_script_runs_again
from indexer.load.works import NOT_GIVEN, Given
from indexer.problems import Problems
from indexer.readers.detect import AUTO
from indexer.structuring.acts.granularity import Granularity
from search.contexts import contexts_of
from search.engines import locate, url_of
from search.engines.protocol import Backend
from search.errors import InputError
from search.models.encoders.identity import identity_of
from search.records import MetadataValue, Passage
from search.versions.history import History

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.models.encoders.protocol import Encoder


def ingest(  # noqa: PLR0913 - the options of the command
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    index_url: str | os.PathLike[str],
    *,
    history: str | os.PathLike[str] | None = None,
    path: str = "*",
    commit_dates: CommitDates = "published",
    encoder: str | os.PathLike[str] | Encoder | None = None,
    format: str = AUTO,  # noqa: A002 - the option's name
    titles: str | Path | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    server: ServerOptions | None = None,
    granularity: Granularity | None = None,
    footnotes: bool = False,
    fields: Mapping[str, str] | None = None,
    metadata: Mapping[str, MetadataValue] | None = None,
    strict: bool = False,
    prune: bool = False,
    vectors: str | os.PathLike[str] | None = None,
    document_id: str = "",
    replace: bool = False,
    work: str = "",
    version: str = "",
    valid_from: str = "",
    valid_to: str = "",
    no_history: bool = False,
) -> IngestReport:
    """Load sources into an index, each document as a whole, all at once.

    A file that is refused, or a record of a JSON or JSONL file, is left out and named in the
    report. Documents that the index holds
    exactly so are left alone, texts whose vector it has are not encoded again, and documents that
    the sources do not name stay. After a crash the same call finishes the work.

    Args:
        sources: files and folders, or a single one.
        index_url: a folder, or a URL that `search.engines.locate` knows.
        history: folder of a git repository, which is loaded in place of sources: each commit that
            changes law is a version of the work that a file is. A commit gives the day in a trailer
            `Source-Date`, and the work of its only file in `Norm-Id`; what a file says of its day
            counts more. What the index holds is not read again.
        path: pattern of the paths of the history that are read, such as `laws/*.md`.
        commit_dates: `in-force` where a commit without a day was made on the first day of its law;
            `published`: its date says nothing of that.
        encoder: name or folder of an encoder, or one that is loaded already; None for the index's
            own; for a new index the one that ships with rirag.
        format: `auto`, or the name of a reader for every file.
        titles: a JSON file from DocumentID to title; None looks for `titles.json`.
        progress: called during the run.
        workers: processes that encode; above 1 each loads the encoder by its name, and a script
            must call this below `if __name__ == "__main__":`.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.
        granularity: how much of an act is one passage; None: each format's own.
        footnotes: whether each footnote of a DOCX or PDF file is a passage, below the one that
            refers to it; else they are left out, as those who number by hand do.
        fields: our field of a record → the field of a corpus or the column of a table that holds
            it (`PassageID`, `Passage`, `DocumentID`, `DocumentTitle`, `Heading`); None: guessed
            where records do not have ours.
        metadata: fields that every passage gets, instead of its own of these names.
        strict: load nothing where any file is refused.
        prune: delete the documents of the index that the folders and files named do not hold;
            nothing is deleted where any file is refused.
        vectors: folder of vectors that `encode` made of the same sources.
        document_id: of the document of the only source, in place of its own; empty: its own.
        replace: whether a document may replace another one that the index holds under its ID;
            else the file is refused. A new version of the same document always replaces it.
        work: DocumentID of the work that the files are versions of; empty: as they say.
        version: name of the version in the only file; empty: its day.
        valid_from: day from which it is in force, as `2026-12-31`; empty: as the file says.
        valid_to: last day on which it is in force; empty: as the file says.
        no_history: whether a file without a day drops the wordings that it replaces; else they end
            yesterday, and searches of earlier days find them.

    Raises:
        InputError: the run was refused; the message holds all problems.
        IndexBusyError: another process is loading into the index.
        EncoderMismatchError: another encoder made the index, or the vectors given.
        ModelError: the encoder cannot be loaded, fails, or gives something else than vectors.
        StorageError: a disk is full or read-only.
    """
    leave_if_script_runs_again()
    url, chosen = url_of(index_url), loaded(encoder)
    backend = locate(url, server)
    how: dict[str, Any] = {
        "format": format, "granularity": granularity, "footnotes": footnotes, "fields": fields,
    }  # fmt: skip
    given = Given(work, version, valid_from, valid_to)
    with ExitStack() as opened_here:
        if history is None:
            found = find_sources(sources, **how)
        else:
            _refuse_with_history(sources, prune, document_id, version, valid_from, valid_to)
            folder = opened_here.enter_context(TemporaryDirectory())
            found = read_history(
                Path(history), Path(folder), _texts_in(backend, url), path=path,
                commit_dates=commit_dates, **how,
            )  # fmt: skip
        return ingest_into(
            backend, url, found, Titles(titles), chosen, progress, workers, metadata=metadata,
            strict=strict, prune=prune, vectors=() if vectors is None else files_in(Path(vectors)),
            document_id=document_id, replace=replace, given=given, no_history=no_history,
        )  # fmt: skip


def _refuse_with_history(*given: Any) -> None:
    """Refuse sources, and what is said of a single version, beside a history."""
    if any(given):
        raise InputError(
            "a history is loaded alone: leave out the sources, prune, document_id, version, "
            "valid_from and valid_to",
            code="argument.invalid",
        )


def _texts_in(backend: Backend, index_url: str) -> Counter[str]:
    """Return which texts of commits an index holds."""
    if not backend.exists(index_url):
        return Counter()
    with closing(backend.open(index_url)) as engine:
        histories = (History.of_text(engine.history(one.document_id)) for one in engine.documents())
        return texts_of(one.source for history in histories for one in history.versions)


def ingest_into(  # noqa: PLR0913 - all but the first four have a default
    backend: Backend,
    index_url: str,
    sources: Sources,
    titles: Titles,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    *,
    metadata: Mapping[str, MetadataValue] | None = None,
    strict: bool = False,
    prune: bool = False,
    vectors: Sequence[Path] = (),
    document_id: str = "",
    replace: bool = False,
    given: Given = NOT_GIVEN,
    no_history: bool = False,
) -> IngestReport:
    """Load files that were found into an index of a given backend, as `ingest` does."""
    started = time.perf_counter()
    progress = listener(progress)
    with Spool.opened() as spool:
        refuse_answered_questions(backend, index_url)
        read = read_into(
            spool, sources, titles, progress, strict=strict, split=True, metadata=metadata,
            document_id=document_id, given=given,
        )  # fmt: skip
        encoder = encoder or encoder_of(backend, index_url)
        spool.contexts = contexts_of(encoder.revision)
        with backend.load(index_url, identity_of(encoder)) as load:
            with held_by(backend, index_url) as held:
                hashes = load.document_hashes()
                seen = arrange_documents(
                    spool,
                    hashes,
                    progress,
                    held,
                    replaces=replace,
                    choices=read.choices,
                    no_history=no_history,
                )
            loaded = [*seen.added, *seen.changed, *seen.unchanged]
            if seen.refused and (strict or not loaded):
                problems = Problems()
                for problem in seen.refused:
                    problems.add(problem)
                problems.raise_if_any(others=bool(loaded))
            with (
                opened(vectors, identity_of(encoder)) as files,
                encoding_with(encoder, workers) as encode,
            ):
                encode_missing(spool, load, encode, progress, files)
            absent = set(load.document_hashes()) - set(loaded) if sources.has_folder else set()
            # What a refused file held is not known, so that nothing counts as gone.
            refused = (*read.refused, *map(str, seen.refused))
            gone = () if refused else gone_from(backend, index_url, absent)
            pruned = prune and bool(gone)
            for one in gone if pruned else ():
                load.delete_document(one.document_id)
            if seen.added or seen.changed or pruned:
                index = load.commit(spool, storing(progress))
            else:
                index = describe(backend, index_url)
        new = (*seen.added, *seen.changed)
        return IngestReport(
            added=tuple(seen.added),
            changed=tuple(seen.changed),
            unchanged=tuple(seen.unchanged),
            passages=seen.passages,
            empty=seen.empty,
            repeated=tuple(seen.repeated),
            duplicates=read.duplicates,
            truncated=tuple(Place.of(passage) for passage in spool.truncated()),
            unencoded=tuple(
                Unencoded(Place.of(passage), why) for passage, why in spool.unencoded()
            ),
            encoded=spool.count(ENCODED, TRUNCATED),
            reused=spool.count(KNOWN),
            left_out=read.left_out,
            refused=refused,
            losses=(*read.losses, *unread(sources.skipped)),
            namesakes=namesakes_of(backend, index_url, new),
            guesses=(
                *read.guesses,
                *seen.retitled,
                *seen.undated,
                *unread_note(seen.unread_status),
                *(f"{one}: {count(n, 'commit')} changed no law" for one, n in seen.formal.items()),
            ),
            doubtful=tuple(seen.doubtful),
            warnings=tuple(seen.warnings),
            skipped=sources.skipped,
            seconds=time.perf_counter() - started,
            unread=unread_documents(
                ((name, spool.passages(name)) for name in spool.hashes()), encoder
            ),
            index=index,
            gone=gone,
            not_in_force=seen.not_in_force,
            versions=tuple(seen.versions),
            pruned=pruned,
        )


def read(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str = AUTO,  # noqa: A002 - the option's name
    titles: str | Path | None = None,
    granularity: Granularity | None = None,
    *,
    footnotes: bool = False,
    fields: Mapping[str, str] | None = None,
) -> Iterator[Passage]:
    """Yield the passages of files and folders, each with its place in the hierarchy.

    The arguments are those of `ingest`.

    Raises:
        InputError: a source was refused; nothing is yielded then.
    """
    with Spool.opened() as spool:
        found = find_sources(sources, format, granularity, footnotes=footnotes, fields=fields)
        read_into(spool, found, Titles(titles), strict=True)
        for document_id, title in spool.documents():
            yield from spool.arranged(document_id, title)
