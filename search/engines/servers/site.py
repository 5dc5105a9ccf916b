"""A connection to the server of one index, with all that is known before anything is read."""

from __future__ import annotations

from dataclasses import dataclass

from search.engines.protocol import IndexDescription
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Client
from search.engines.servers.connection.options import ServerOptions
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.product import Product
from search.engines.servers.searching.engine import ServerEngine


@dataclass(frozen=True, slots=True)
class Site:
    """Where an index is, and how it is reached."""

    client: Client
    product: Product
    options: ServerOptions
    address: ServerAddress

    @classmethod
    def connect(cls, url: str, product: Product, options: ServerOptions) -> Site:
        """Connect, and check which server answers.

        Raises:
            InputError: the URL cannot be used.
            IndexUnavailableError: no server of this product and of a supported version is there.
        """
        address = ServerAddress.parse(url)
        client = product.connect(address, options)
        try:
            client.info()
        except BaseException:
            client.close()
            raise
        return cls(client, product, options, address)

    def engine(self, generation: Generation) -> ServerEngine:
        """Return what reads a generation; closing it closes the connection."""
        return ServerEngine(self.client, self.product, generation, self.describe(generation))

    def describe(self, generation: Generation) -> IndexDescription:
        """Return what callers get to know of a generation."""
        engine, graph = str(self.client.info()), self.product.graph
        return generation.manifest.description(self.address, engine, graph)


def product_of(name: str) -> Product:
    """Return the product of a URL's scheme."""
    if name == "elasticsearch":
        from search.engines.servers.elasticsearch import ElasticsearchProduct

        return ElasticsearchProduct()
    from search.engines.servers.opensearch import OpenSearchProduct

    return OpenSearchProduct()
