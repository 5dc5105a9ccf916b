"""How to reach a server: addresses, credentials, TLS, and the two client libraries behind one
client.

It knows nothing of passages or generations.
"""

from __future__ import annotations

import importlib.util

from search.engines.servers.connection.address import PRODUCTS, ServerAddress
from search.engines.servers.connection.client import Client
from search.engines.servers.connection.options import ServerOptions
from search.errors import MissingDependencyError


def client_of(address: ServerAddress, options: ServerOptions) -> Client:
    """Return a connection; nothing is sent yet.

    Raises:
        MissingDependencyError: the client library is not installed.
    """
    library = {"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}[address.product]
    if importlib.util.find_spec(library) is None:
        raise MissingDependencyError(f"an index on {PRODUCTS[address.product]}", address.product)
    if address.product == "elasticsearch":
        from search.engines.servers.connection.elasticsearch import ElasticsearchClient

        return ElasticsearchClient(address, options)
    from search.engines.servers.connection.opensearch import OpenSearchClient

    return OpenSearchClient(address, options)


def connect(url: str, options: ServerOptions) -> Client:
    """Connect to the server of an index, and check which server answers.

    Raises:
        InputError: the URL cannot be used.
        IndexUnavailableError: no server of this product and of a supported version is there.
    """
    client = client_of(ServerAddress.parse(url), options)
    try:
        client.version()
    except BaseException:
        client.close()
        raise
    return client
