"""Elasticsearch and OpenSearch: one engine over two products.

What both servers do alike is written once here and speaks REST through a `Client`; what differs
(how to connect, how vectors are mapped and asked for) is in `connection/elasticsearch.py` and
`connection/opensearch.py`.

An index NAME is a pair of aliases, NAME for its passages and NAME-documents for whole documents.
Each completed load makes a new *generation*, two indices whose names end in a time stamp, and moves
both aliases to it in one call. A generation never changes afterwards.
"""

from __future__ import annotations

from search.engines.servers.backend import ServerBackend
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.options import ServerOptions

__all__ = ["ServerAddress", "ServerBackend", "ServerOptions"]
