"""Bulk loading with an account of what the server refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from search.engines.servers.connection.client import Body, Client, Refusal
from search.errors import StorageError

STREAMS = 2
"""Bulk requests on their way at once: while the server works on one, we make the next."""
SHOWN = 20
"""Refused passages that a message names."""
MOST_REFUSED = 1000
"""Refusals after which a load is hopeless."""
_OF_A_DOCUMENT = (400, 413)
"""Statuses that are a matter of one document; any other will meet the next one too."""


class RefusedError(Exception):
    """The server did not take everything."""

    def __init__(self, refusals: list[Refusal], taken: int) -> None:
        super().__init__(f"{len(refusals)} refused")
        self.refusals = refusals
        self.taken = taken


def send(
    client: Client, index: str, actions: Iterable[Body], report: Callable[[int], None] | None = None
) -> None:
    """Send all actions.

    Args:
        client: of the server.
        index: where actions go that name no other.
        actions: as `Client.bulk` takes them; no two of the same document.
        report: called with the number of actions answered so far, in this thread.

    Raises:
        RefusedError: the server did not take some of them.
    """
    flow = _Flow(iter(actions))
    with ThreadPoolExecutor(STREAMS - 1) as pool:
        others = [pool.submit(_send_stream, client, index, flow) for _ in range(STREAMS - 1)]
        try:
            _send_stream(client, index, flow, report)
            for other in others:
                other.result()
        finally:
            flow.stop()
    if flow.refusals:
        raise RefusedError(flow.refusals, flow.taken)


class _Flow:
    """Actions that several threads send, and what became of them."""

    def __init__(self, actions: Iterator[Body]) -> None:
        self.taken = 0
        self.refusals: list[Refusal] = []
        self._actions = actions
        self._stopped = False
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Body]:
        """Yield what no other thread has taken, until all is taken or one stops."""
        while True:
            with self._lock:
                if self._stopped:
                    return
                self._stopped = True  # stays so if there is no next action, or it cannot be made
                action = next(self._actions, None)
                self._stopped = action is None
            if action is None:
                return
            yield action

    def stop(self) -> None:
        """Let all threads end with what they have taken."""
        self._stopped = True

    def note(self, result: Refusal | None) -> int:
        """Write down a result; return how many there are."""
        with self._lock:
            if result is None or result.status == 404:  # to delete what is gone is not a fault
                self.taken += 1
            else:
                self.refusals.append(result)
                if result.status not in _OF_A_DOCUMENT or len(self.refusals) >= MOST_REFUSED:
                    self._stopped = True
            return self.taken + len(self.refusals)


def _send_stream(
    client: Client, index: str, flow: _Flow, report: Callable[[int], None] | None = None
) -> None:
    for result in client.bulk(index, flow):
        done = flow.note(result)
        if report is not None:
            report(done)


def refused_error(url: str, refused: RefusedError, names: Mapping[str, str]) -> StorageError:
    """Return the error for what was refused.

    Args:
        url: of the index.
        refused: what happened.
        names: the words for a passage or document, by the server's `_id`.
    """
    kept = "none of it is searchable; the index is unchanged"
    hard = [one for one in refused.refusals if one.status not in _OF_A_DOCUMENT]
    if hard:
        return StorageError(
            f"the server stopped accepting the load into {url} after {refused.taken} "
            f"passages and documents ({hard[0].reason}): {kept}; fix that on the "
            "server and load again"
        )
    told = [f"{names.get(one.id, one.id)}: {one.reason}" for one in refused.refusals[:SHOWN]]
    more = len(refused.refusals) - len(told)
    told += [f"and {more} more"] if more else []
    return StorageError(
        f"the server accepted {refused.taken} passages and documents of the load into "
        f"{url} and refused {len(refused.refusals)}: {kept}; fix these and load "
        "again:\n" + "\n".join(told)
    )
