"""The engine that needs no server: a folder.

It implements the protocol of engines, and knows neither encoders nor fusion.
"""

from __future__ import annotations

from pathlib import Path

from search.engines.embedded import layout
from search.engines.embedded.engine import EmbeddedEngine
from search.engines.embedded.load import EmbeddedLoad
from search.engines.embedded.manifest import Manifest
from search.engines.protocol import IndexDescription
from search.errors import InputError
from search.records import EncoderIdentity


class EmbeddedBackend:
    """Implements `search.engines.protocol.Backend` for folders."""

    def open(self, url: str) -> EmbeddedEngine:
        """Open the current generation of a folder."""
        return EmbeddedEngine(Path(url))

    def state(self, url: str) -> str:
        """Return the name and checksum of the current generation."""
        folder = layout.current_generation(Path(url))
        return Manifest.read(folder).state(folder)

    def load(self, url: str, encoder: EncoderIdentity, *, rebuild: bool = False) -> EmbeddedLoad:
        """Begin a change to a folder; it is created when it does not exist."""
        return EmbeddedLoad(Path(url), encoder, rebuild=rebuild)

    def rollback(self, url: str) -> IndexDescription:
        """Refuse: the pointer of a folder is a file that people can change."""
        raise InputError(
            f"the index {url} is a folder, and only an index in Elasticsearch or "
            "OpenSearch can be rolled back; write the name of an earlier generation "
            f"into {Path(url, layout.CURRENT)}",
            code="index.unsupported",
        )

    def exists(self, url: str) -> bool:
        """Return whether the folder holds an index."""
        return layout.current_name(Path(url)) is not None

    def health(self, url: str) -> None:
        """Return None: a folder needs no server."""


__all__ = ["EmbeddedBackend", "EmbeddedEngine", "EmbeddedLoad"]
