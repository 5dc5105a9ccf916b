"""Indices that tests of the conformance suite only read: what was loaded once is not loaded again.

A load takes a server ten times as long as the searches of a test.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine_samples import IndexUnderTest
from server_processes import TestServer

from search.engines import locate
from search.engines.protocol import IndexDescription
from search.records import Passage

READERS = {
    "LexicalRetriever", "DenseRetriever", "DocumentRetriever", "FilteredRetrievers", "Lookups",
    "HostileContent",
}  # fmt: skip
"""Parts of the suite whose tests load once and then only read."""


@dataclass(frozen=True)
class RememberedIndex(IndexUnderTest):
    """An index that is only written once; the same content is written once a run."""

    known: dict[str, tuple[str, IndexDescription]] = field(default_factory=dict)
    """What was loaded, as text → where it is, and what the load said."""

    def write(self, *documents: Sequence[Passage], delete: Sequence[str] = ()) -> IndexDescription:
        """Find these documents, or load them."""
        assert not delete
        content = repr(documents)
        if content not in self.known:
            address = f"{self.url}-{uuid.uuid4().hex[:12]}"
            described = IndexUnderTest(self.backend, address).write(*documents)
            self.known[content] = (address, described)
        address, described = self.known[content]
        object.__setattr__(self, "url", address)  # from now on it is this one
        return described


@contextmanager
def memory(server: TestServer) -> Iterator[RememberedIndex]:
    """What the tests of a module share; deleted with it."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    url = f"{server.url}/{name}"
    yield RememberedIndex(locate(url), url)
    server.wipe(name)


def of_test(owner: str, shared: RememberedIndex, fresh: IndexUnderTest) -> IndexUnderTest:
    """Return the index for a test: a shared one where it only reads.

    Args:
        owner: the part of the suite that the test belongs to.
        shared: what the tests of the module share.
        fresh: an index of the test's own.
    """
    if owner not in READERS:
        return fresh
    return RememberedIndex(shared.backend, shared.url, shared.known)
