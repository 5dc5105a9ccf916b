"""Change an index: load, rebuild, delete, and its answered questions.

Each function takes `progress`, which hears how far the work is, and `cancelled`, which is asked
then whether to continue. What was cancelled has changed nothing that searchers see.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import indexer
from rirag.service.server_settings import server_options
from search.errors import CancelledError

if TYPE_CHECKING:
    from indexer.structuring.acts.granularity import Granularity
    from rirag.settings import Settings
    from search import AnsweredQuestion, Encoder, IndexDescription

T = TypeVar("T")

Sources = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Cancelled = Callable[[], bool]
"""Returns whether the work is to end."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read; `indexer.ingest` says what the fields mean."""

    format: str = "auto"
    titles: Path | None = None
    granularity: Granularity | None = None
    footnotes: bool = False
    fields: Mapping[str, str] | None = None


AS_THEY_ARE = Reading()
"""Each file as its format is usually read."""


def load(
    settings: Settings,
    sources: Sources,
    reading: Reading = AS_THEY_ARE,
    *,
    prune: bool = False,
    progress: indexer.Progress | None = None,
    cancelled: Cancelled | None = None,
    **options: Any,
) -> indexer.IngestReport:
    """Load sources into the index of the settings; `indexer.ingest` has the other options."""
    if prune:
        refuse_what_cannot_be_deleted_from(settings)
    return indexer.ingest(
        sources, settings.index, encoder=_encoder(settings), server=server_options(settings),
        prune=prune, progress=_watched(progress, cancelled), **asdict(reading), **options,
    )  # fmt: skip


def usable(sources: Sequence[Path]) -> tuple[list[Path], tuple[str, ...]]:
    """Return the sources that can be read, and why each of the others cannot.

    Where none can be read, all are returned as usable: a load of them says what is wrong.
    """
    from indexer.load.sources import find_sources
    from search.errors import InputError

    found, problems = [], []
    for source in sources if len(sources) > 1 else ():
        try:
            find_sources(source)
        except InputError as error:
            problems.append(str(error))
        else:
            found.append(source)
    return (found, tuple(problems)) if found else (list(sources), ())


def encode(
    settings: Settings,
    sources: Sources,
    output: Path,
    reading: Reading = AS_THEY_ARE,
    **options: Any,
) -> indexer.EncodeReport:
    """Write the vectors of a shard of the sources; `indexer.encode` has the other options."""
    return indexer.encode(sources, output, encoder=_encoder(settings), **asdict(reading), **options)


def structure(
    sources: Sources,
    reading: Reading = AS_THEY_ARE,
    *,
    document_id: str = "",
    progress: indexer.Progress | None = None,
    cancelled: Cancelled | None = None,
) -> indexer.Structure:
    """Read sources as `load` does, and load nothing."""
    watched = _watched(progress, cancelled)
    return indexer.structure(sources, progress=watched, document_id=document_id, **asdict(reading))


def reindex(
    settings: Settings,
    *,
    workers: int = 1,
    progress: indexer.Progress | None = None,
    cancelled: Cancelled | None = None,
) -> indexer.ReindexReport:
    """Rebuild the index from its own contents, with the encoder of the settings or its own."""
    return indexer.reindex(
        settings.index,
        encoder=_encoder(settings),
        progress=_watched(progress, cancelled),
        workers=workers,
        server=server_options(settings),
    )


def rollback(settings: Settings) -> IndexDescription:
    """Go back to the state before the last load, and return it."""
    return indexer.rollback(settings.index, server=server_options(settings))


def refuse_what_cannot_be_deleted_from(settings: Settings) -> None:
    """Refuse an index of answered questions, which has documents that are none.

    Raises:
        InputError: the index is one.
    """
    from indexer.answered_questions.load import refuse_answered_questions
    from search.engines import locate

    refuse_answered_questions(locate(settings.index, server_options(settings)), settings.index)


def delete_documents(settings: Settings, document_ids: Iterable[str]) -> IndexDescription:
    """Delete documents, all of them or none; return what the index then holds.

    Raises:
        InputError: the index does not have one of them, or holds answered questions.
    """
    from search.engines import locate
    from search.engines.staging import Staging

    refuse_what_cannot_be_deleted_from(settings)
    backend = locate(settings.index, server_options(settings))
    with closing(backend.open(settings.index)) as engine:
        encoder = engine.describe().encoder
    with backend.load(settings.index, encoder) as change, Staging.opened() as nothing:
        for document_id in dict.fromkeys(document_ids):
            change.delete_document(document_id)
        return change.commit(nothing)


def merge_documents(
    settings: Settings, document_ids: Iterable[str], into: str, *, dry_run: bool = False
) -> indexer.MergeReport:
    """Join documents that are versions of one work; `indexer.merge` has the refusals."""
    server = server_options(settings)
    return indexer.merge(document_ids, into, settings.index, dry_run=dry_run, server=server)


def add_questions(
    settings: Settings, files: Sequence[Path], *, progress: indexer.Progress | None = None,
    cancelled: Cancelled | None = None,
) -> indexer.QuestionsReport:  # fmt: skip
    """Add the answered questions of files: all of them, or none."""
    from rirag.inputs.gold import read_answered_questions

    server = server_options(settings)
    questions = read_answered_questions(files, settings.index, server)
    watched = _watched(progress, cancelled)
    return indexer.add_questions(questions, settings.index, progress=watched, server=server)


def remove_questions(
    settings: Settings, ids: Sequence[str] | None, *, progress: indexer.Progress | None = None,
    cancelled: Cancelled | None = None,
) -> indexer.QuestionsReport:  # fmt: skip
    """Remove answered questions by their IDs: all of these, or none; None: every question."""
    watched = _watched(progress, cancelled)
    server = server_options(settings)
    return indexer.remove_questions(ids, settings.index, progress=watched, server=server)


def answered_questions(settings: Settings) -> Sequence[AnsweredQuestion]:
    """Return the answered questions of the index."""
    return indexer.list_questions(settings.index, server=server_options(settings))


def _encoder(settings: Settings) -> Encoder | None:
    from search.models.encoders import load_encoder

    return None if settings.encoder is None else load_encoder(settings.encoder)


def _watched(
    progress: indexer.Progress | None, cancelled: Cancelled | None
) -> indexer.Progress | None:
    """Return a progress that ends the work when it is cancelled.

    Once all is stored, only publishing is left, and what has to follow: that is not cancelled.
    """
    if cancelled is None:
        return progress
    stored = False

    def watch(stage: indexer.Stage, done: int, total: int) -> None:
        nonlocal stored
        if not stored and cancelled():
            raise CancelledError(
                "the work was cancelled; the index is unchanged and can still be searched"
            )
        stored = stored or (stage == "load" and done >= total)
        if progress is not None:
            progress(stage, done, total)

    return watch
