"""The right to change an index: one process at a time has it."""

from __future__ import annotations

from contextlib import suppress

from search.engines.servers.coordination.documents import Notes
from search.engines.servers.coordination.lease import EXPIRES_AFTER_S, Holder, Lease
from search.engines.servers.site import Site
from search.errors import IndexBusyError, RiragError

WRITER = "writer"
"""Name of the lease that the one loading process holds."""


class Writer:
    """Holds the right until `leave`."""

    def __init__(self, site: Site) -> None:
        """Take the right.

        Raises:
            IndexBusyError: another process has it.
        """
        self._url = site.address.url
        self.notes = Notes(site.client, site.address)
        self.lease = Lease(self.notes, WRITER)
        holder = self.lease.acquire()
        if holder is not None:
            raise _busy(self._url, holder)

    def check(self) -> None:
        """Make sure that nobody took the right from us, thinking us dead.

        Raises:
            IndexBusyError: somebody did.
        """
        if not self.lease.is_held():
            raise IndexBusyError(
                f"this process gave no sign of life for {EXPIRES_AFTER_S:.0f} s (the "
                "machine may have been suspended), so another one may be loading "
                f"into {self._url}; wait until it is done, then try again"
            )

    def leave(self, *, keep_vectors: bool) -> None:
        """Give the right back; what cannot be told to the server expires by itself.

        Args:
            keep_vectors: whether vectors that wait for the next load stay on the server.
        """
        with suppress(RiragError):
            if self.lease.is_held() and not (keep_vectors and self.notes.count("vector")):
                self.lease.stop()
                self.notes.drop()
        self.lease.release()


def _busy(url: str, holder: Holder) -> IndexBusyError:
    silent = holder.silent_s()
    return IndexBusyError(
        f"process {holder.pid} on {holder.host} is loading into {url} (last sign of life "
        f"{silent:.0f} s ago); wait until it is done, or, if it died, "
        f"{max(1.0, EXPIRES_AFTER_S - silent):.0f} s, and try again"
    )
