"""Help a load that another process or machine began: compute vectors, and nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.acts.granularity import Granularity
from indexer.load.context import contexts_of
from indexer.load.documents import arrange_documents
from indexer.load.encoding import Encode, help_encoding
from indexer.load.index_encoder import encoder_of, loaded
from indexer.load.progress import Progress, listener
from indexer.load.reading import read_into
from indexer.load.report import Place, count, listed
from indexer.load.sources import find_sources
from indexer.load.spool import ENCODED, TRUNCATED, Spool, open_spool
from indexer.load.titles import Titles
from indexer.load.workers import encoding_with
from indexer.readers.detect import AUTO
from search.engines import locate, url_of
from search.engines.protocol import VectorShare
from search.errors import LoadEndedError
from search.models.encoders.identity import identity_of

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions
    from search.models.encoders.protocol import Encoder


@dataclass(frozen=True, slots=True)
class JoinReport:
    """What a process did for the load of another one."""

    url: str
    """The index being loaded."""
    passages: int
    """Passages read."""
    encoded: int
    """Texts that this process encoded; the others were known, or encoded elsewhere."""
    ended: bool
    """Whether the load ended before this process saw that nothing is left for it."""
    truncated: tuple[Place, ...]
    """Passages among them whose end the encoder cut off."""
    refused: tuple[str, ...]
    """Why files were left out as a whole, a problem each with file and line."""
    seconds: float
    """Wall-clock time."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form, as `rirag ingest --join --json` prints it."""
        return asdict(self)

    def summary(self) -> str:
        """Return a few lines for people."""
        lines = [
            f"Read {count(self.passages, 'passage')} and encoded {count(self.encoded, 'text')} in "
            f"{self.seconds:.1f} s for the load into {self.url}.",
            *listed(self.truncated, "longer than the encoder reads: end not encoded"),
            "The load has ended in the meantime."
            if self.ended
            else (
                "The remaining texts are encoded or in progress on other machines; the "
                "process that began the load completes it."
            ),
        ]
        return "\n".join(lines)


def join(  # noqa: PLR0913 - the options of the command
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    index_url: str | os.PathLike[str],
    *,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    format: str = AUTO,  # noqa: A002 - the option's name
    titles: str | Path | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    server: ServerOptions | None = None,
    granularity: Granularity | None = None,
    footnotes: bool = False,
    strict: bool = False,
) -> JoinReport:
    """Compute vectors for a load into the same index that is under way elsewhere.

    The arguments are those of `ingest`, and the sources must be the same: work is divided by what
    stands in them. This ends when every text is encoded or being encoded by others.

    Raises:
        InputError: the run was refused, or the index is a folder.
        IndexUnavailableError: no load into the index is under way.
        EncoderMismatchError: it uses another encoder.
    """
    started = time.perf_counter()
    url, chosen = url_of(index_url), loaded(encoder)
    backend = locate(url, server)
    found = find_sources(sources, format, granularity, footnotes=footnotes)
    progress = listener(progress)
    with open_spool() as spool:
        read = read_into(spool, found, Titles(titles), progress, strict=strict, split=True)
        chosen = chosen or encoder_of(backend, url)
        spool.contexts = contexts_of(chosen.revision)
        passages = arrange_documents(spool, {}, progress).passages
        with (
            backend.join(url, identity_of(chosen)) as share,
            encoding_with(chosen, workers) as encode,
        ):
            ended = _help(spool, share, encode, progress)
        return JoinReport(
            url=url,
            passages=passages,
            encoded=spool.count(ENCODED, TRUNCATED),
            ended=ended,
            truncated=tuple(Place.of(passage) for passage in spool.truncated()),
            refused=read.refused,
            seconds=time.perf_counter() - started,
        )


def _help(spool: Spool, share: VectorShare, encode: Encode, progress: Progress) -> bool:
    """Encode what can be claimed; return whether the load ended meanwhile."""
    try:
        help_encoding(spool, share, encode, progress)
    except LoadEndedError:
        return True
    return False
