"""What differs between the two products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Body, Client, ServerInfo
from search.engines.servers.connection.options import ServerOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Product(Protocol):
    """Elasticsearch or OpenSearch; without state."""

    title: str
    """As people write it."""
    graph: str
    """How vectors are found where they are not compared one by one."""
    compares_any: bool
    """Whether vectors can be compared one by one in an index that has a graph, too."""

    def connect(self, address: ServerAddress, options: ServerOptions) -> Client:
        """Return a connection; nothing is sent yet.

        Raises:
            MissingDependencyError: the client library is not installed.
        """
        ...

    def vector_settings(self, exact: bool) -> Body:
        """Return index settings (below `index`) that the vector field needs."""
        ...

    def vector_field(self, dimension: int, exact: bool) -> Body:
        """Return the mapping of the field `vector`."""
        ...

    def vector_value(self, vector: NDArray[np.float32], server: ServerInfo) -> Any:
        """Return a unit vector as the server takes it in a document."""
        ...

    def dense_query(
        self, vector: NDArray[np.float32], depth: int, filters: Sequence[Body], exact: bool
    ) -> Body:
        """Return the part of a search body that finds the nearest vectors.

        Args:
            vector: unit vector, shape (dimension,).
            depth: how many.
            filters: clauses that all must hold for a passage.
            exact: whether vectors are compared one by one; else by a graph.
        """
        ...

    def bm25_factor(self, server: ServerInfo) -> float:
        """Return what makes scores of BM25 those of the embedded engine, which has the factor
        k1 + 1 of Robertson et al. (1994) in them.
        """
        ...

    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:
        """Turn the scores of dense hits into cosines, -1 to 1."""
        ...
