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


def send(
    client: Client, index: str, actions: Iterable[Body], report: Callable[[int], None] | None = None
) -> Flow:
    """Send all actions, and return what became of them.

    Args:
        client: of the server.
        index: where actions go that name no other.
        actions: as `Client.bulk` takes them; no two of the same document.
        report: called with the number of actions answered so far, in this thread.
    """
    flow = Flow(iter(actions))
    with ThreadPoolExecutor(STREAMS - 1) as pool:
        others = [pool.submit(_send_stream, client, index, flow) for _ in range(STREAMS - 1)]
        try:
            _send_stream(client, index, flow, report)
            for other in others:
                other.result()
        finally:
            flow.stop()
    return flow


class Flow:
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
    client: Client, index: str, flow: Flow, report: Callable[[int], None] | None = None
) -> None:
    for result in client.bulk(index, flow):
        done = flow.note(result)
        if report is not None:
            report(done)


def refused_error(url: str, flow: Flow, names: Mapping[str, str]) -> StorageError:
    """Return the error for what was refused.

    Args:
        url: of the index.
        flow: what happened.
        names: the words for a passage or document, by the server's `_id`.
    """
    kept = "none of it is searchable; the index is unchanged"
    hard = [one for one in flow.refusals if one.status not in _OF_A_DOCUMENT]
    if hard:
        return StorageError(
            f"the server stopped accepting the load into {url} after {flow.taken} "
            f"passages and documents ({hard[0].reason}): {kept}; fix that on the "
            "server and load again"
        )
    told = [f"{names.get(one.id, one.id)}: {one.reason}" for one in flow.refusals[:SHOWN]]
    more = len(flow.refusals) - len(told)
    told += [f"and {more} more"] if more else []
    return StorageError(
        f"the server accepted {flow.taken} passages and documents of the load into "
        f"{url} and refused {len(flow.refusals)}: {kept}; fix these and load "
        "again:\n" + "\n".join(told)
    )
