"""The vectors of a load, shared by all processes that compute them."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.connection.client import NotFoundError
from search.engines.servers.coordination.documents import Note, Notes
from search.engines.servers.coordination.lease import Holder, Lease
from search.engines.servers.coordination.writer import WRITER
from search.engines.servers.indexing.current import Current
from search.engines.servers.indexing.pending import PendingVectors
from search.engines.servers.indexing.scratch import scratch_errors
from search.engines.servers.site import Site
from search.errors import (
    EncoderMismatchError,
    IndexUnavailableError,
    LoadEndedError,
    RiragError,
)
from search.messages.commands import on_index
from search.records import EncoderIdentity


class SharedVectors:
    """What a load and its helpers do alike; each holds a lease that shows it is alive."""

    def __init__(
        self, notes: Notes, encoder: EncoderIdentity, current: Current | None, lease: Lease
    ) -> None:
        """Begin with nothing claimed.

        Args:
            notes: the helper index.
            encoder: what makes the vectors.
            current: the generation that has vectors of this encoder already.
            lease: held by this process.
        """
        self._notes = notes
        self._current = current
        self._lease = lease
        self._folder = tempfile.TemporaryDirectory(prefix="rirag-")
        self.folder = Path(self._folder.name)
        self.pending = PendingVectors(notes, self.folder, encoder)
        self._claims: list[str] = []

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        """Return which hashes the index, this load or an unfinished one already has."""
        wanted = set(hashes)
        known = self.pending.known(wanted)
        return known if self._current is None else known | self._current.known(wanted - known)

    def vectors(self, hashes: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return those of the vectors that are known."""
        wanted = set(hashes)
        found = self.pending.get(wanted)
        if self._current is not None and len(found) < len(wanted):
            found.update(self._current.vectors(wanted - set(found)))
        return found

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension)."""
        self.pending.add(hashes, vectors)

    def claim(self, hashes: Sequence[str]) -> bool:
        """Reserve a batch of hashes; False while another living process has it."""
        name = "claim-" + hashlib.sha256("\n".join(hashes).encode()).hexdigest()
        mine = {"kind": "claim", "holder": self._lease.name, "token": self._lease.token}
        if not self._notes.create(name, mine):
            note = self._notes.get(name)
            if note is None or note.source["token"] == self._lease.token:
                return note is not None
            if self._is_at_work(note) or not self._notes.replace(note, mine):
                return False
        self._claims.append(name)
        return True

    def close(self) -> None:
        """Free the claims and the files; the lease stays."""
        try:
            self._notes.remove(self._claims)
        except RiragError:
            pass  # they lapse with the lease
        finally:
            self.pending.close()
            self._folder.cleanup()

    def _is_at_work(self, claim: Note) -> bool:
        note = self._notes.get(claim.source["holder"])
        if note is None or note.source["token"] != claim.source["token"]:
            return False
        return Holder.of(note).is_alive()


class ServerShare:
    """Implements `search.engines.protocol.VectorShare`: helps with the load of another process.

    When that load has ended, every method raises `LoadEndedError`.
    """

    def __init__(self, site: Site, encoder: EncoderIdentity, current: Current | None) -> None:
        """Join.

        Raises:
            IndexUnavailableError: no load is under way.
            EncoderMismatchError: it uses another encoder.
        """
        self._client = site.client
        self._url = site.address.url
        self._notes = Notes(site.client, site.address)
        _check_encoder(self._writer(), self._url, encoder)
        self._lease = Lease(self._notes, "helper", {}, unique=True)
        if self._lease.acquire() is not None:
            raise self._ended()
        try:
            with scratch_errors():
                self._shared = SharedVectors(self._notes, encoder, current, self._lease)
        except BaseException:
            self._lease.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._shared.close()
        self._lease.release()
        self._client.close()

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        """Return which vector hashes need not be encoded again."""
        self._writer()
        return self._shared.known_vectors(hashes)

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension)."""
        try:
            self._shared.add_vectors(hashes, vectors)
        except NotFoundError:
            raise self._ended() from None

    def claim(self, hashes: Sequence[str]) -> bool:
        """Reserve a batch of hashes; False while another process works on just this batch."""
        self._writer()
        return self._shared.claim(hashes)

    def _writer(self) -> Holder:
        """Return the process whose load this is.

        Raises:
            IndexUnavailableError: no load is under way.
        """
        note = self._notes.get(WRITER)
        if note is None or not Holder.of(note).is_alive():
            raise self._ended()
        return Holder.of(note)

    def _ended(self) -> LoadEndedError:
        return LoadEndedError(
            f"no load into {self._url} is running; begin one with: "
            + on_index("rirag ingest SOURCE", self._url)
        )


def _check_encoder(writer: Holder, url: str, encoder: EncoderIdentity) -> None:
    if not writer.about:  # no load, but a rollback
        raise IndexUnavailableError(
            f"no load into {url} is running; try again when one is", code="load.ended"
        )
    other = EncoderIdentity(**writer.about)
    if other != encoder:
        raise EncoderMismatchError(
            f"the load into {url} uses {other}, not {encoder}; join it with --encoder {other.name}"
        )
