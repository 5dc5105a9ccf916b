"""Encode texts without an index, in shards that any number of machines can share."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.load.documents import arrange_documents
from indexer.load.encoding import encode_missing
from indexer.load.index_encoder import loaded
from indexer.load.progress import Progress, listener
from indexer.load.reading import read_into
from indexer.load.report import TOO_LONG, Place, Unencoded, count, listed
from indexer.load.shards import Shard, opened
from indexer.load.sources import find_sources
from indexer.load.spool import ELSEWHERE, ENCODED, KNOWN, TRUNCATED, WINDOW, Spool
from indexer.load.titles import Titles
from indexer.load.workers import encoding_with, leave_if_script_runs_again
from indexer.readers.detect import AUTO
from indexer.structuring.acts.granularity import Granularity
from search.contexts import contexts_of
from search.errors import StorageError
from search.json_form import Record
from search.models.encoders.identity import identity_of

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder


@dataclass(frozen=True, slots=True)
class EncodeReport(Record):
    """The outcome of one `encode`."""

    file: str
    """The file of vectors."""
    passages: int
    """Passages read, of all shards."""
    encoded: int
    """Texts of the shard that were encoded in this run."""
    reused: int
    """Texts of the shard whose vector the file had."""
    truncated: tuple[Place, ...]
    """Passages encoded in this run whose end the encoder cut off."""
    unencoded: tuple[Unencoded, ...]
    """Passages that the encoder failed on, each with the reason."""
    refused: tuple[str, ...]
    """Why files were left out as a whole, a problem each with file and line."""
    seconds: float
    """Wall-clock time of the run."""

    def summary(self) -> str:
        """Return a few lines for people."""
        return "\n".join(
            [
                f"Read {count(self.passages, 'passage')} in {self.seconds:.1f} s; encoded "
                f"{count(self.encoded, 'text')} into {self.file}, reused {self.reused:,}.",
                *listed(self.truncated, TOO_LONG),
                *listed(self.unencoded, "that the encoder failed on: no vector"),
            ]
        )


def encode(  # noqa: PLR0913 - the options of the command
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    shard: str = "1/1",
    encoder: str | os.PathLike[str] | Encoder | None = None,
    format: str = AUTO,  # noqa: A002 - the option's name
    titles: str | Path | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    granularity: Granularity | None = None,
    footnotes: bool = False,
    fields: Mapping[str, str] | None = None,
    strict: bool = False,
) -> EncodeReport:
    """Write the vectors of a shard of the texts into a file, for `ingest(…, vectors=output)`.

    The sources and how they are read must be those of the load. What the file has is not encoded
    again, so that after a crash the same call finishes the work.

    Args:
        sources: files and folders, or a single one, as for `ingest`.
        output: folder of the file; it is made if it does not exist.
        shard: `3/16`: the third of 16 shares of the texts.
        encoder: as for `ingest`; None for the one that ships with rirag.
        format: as for `ingest`, as are the arguments below.
        titles: JSON file from DocumentID to title.
        progress: called during the run.
        workers: processes that encode.
        granularity: how much of an act is one passage.
        footnotes: whether each footnote is a passage.
        fields: of records and tables, as for `ingest`.
        strict: encode nothing where any file is refused.

    Raises:
        InputError: the run was refused.
        EncoderMismatchError: the file has vectors of another encoder.
        ModelError: the encoder cannot be loaded, fails, or gives something else than vectors.
        StorageError: the folder cannot be written.
    """
    from search.models.encoders import DEFAULT_ENCODER, load_encoder

    leave_if_script_runs_again()
    started = time.perf_counter()
    part, progress = Shard.parse(shard), listener(progress)
    chosen = loaded(encoder) or load_encoder(DEFAULT_ENCODER)
    found = find_sources(sources, format, granularity, footnotes=footnotes, fields=fields)
    file = part.file(_made(Path(output)))
    with Spool.opened() as spool:
        read = read_into(spool, found, Titles(titles), progress, strict=strict, split=True)
        spool.contexts = contexts_of(chosen.revision)
        passages = arrange_documents(spool, {}, progress).passages
        _leave_other_shards(spool, part)
        with (
            opened([file], identity_of(chosen)) as (vectors,),
            encoding_with(chosen, workers) as work,
        ):
            encode_missing(spool, vectors, work, progress)
        return EncodeReport(
            file=str(file),
            passages=passages,
            encoded=spool.count(ENCODED, TRUNCATED),
            reused=spool.count(KNOWN),
            truncated=tuple(Place.of(passage) for passage in spool.truncated()),
            unencoded=tuple(Unencoded(Place.of(one), why) for one, why in spool.unencoded()),
            refused=read.refused,
            seconds=time.perf_counter() - started,
        )


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write into {folder}: {error.strerror}") from error
    return folder


def _leave_other_shards(spool: Spool, part: Shard) -> None:
    for window in spool.missing(WINDOW):
        others = [text_hash for _, text_hash, _ in window if text_hash not in part]
        spool.mark(others, ELSEWHERE)
