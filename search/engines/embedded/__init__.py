"""The engine that needs no server: a folder."""

from __future__ import annotations

from pathlib import Path

from search.engines.embedded import layout
from search.engines.embedded.engine import EmbeddedEngine
from search.engines.embedded.load import EmbeddedLoad
from search.engines.protocol import EncoderIdentity


class EmbeddedBackend:
    """Implements `search.engines.protocol.Backend` for folders."""

    def open(self, url: str) -> EmbeddedEngine:
        """Open the current generation of a folder."""
        return EmbeddedEngine(Path(url))

    def load(self, url: str, encoder: EncoderIdentity) -> EmbeddedLoad:
        """Begin a change to a folder; it is created when it does not exist."""
        return EmbeddedLoad(Path(url), encoder)

    def exists(self, url: str) -> bool:
        """Tell whether the folder holds an index."""
        return layout.current_name(Path(url)) is not None


__all__ = ["EmbeddedBackend", "EmbeddedEngine", "EmbeddedLoad"]
