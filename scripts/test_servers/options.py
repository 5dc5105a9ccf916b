"""What a caller may choose of a server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ServerOptions:
    """Choices of one instance."""

    port: int
    secure: bool = False
    """TLS, a password and API keys (Elasticsearch)."""
    fresh: bool = False
    """Forget the data of the last time."""
    data: Path | None = None
    """Its folder; None: one below the cache, named after the port."""
    heap: str = "512m"
    quick: bool = False
    """Start sooner, and work slower ever after; the data is in memory where it has room."""
    settings: tuple[str, ...] = ()
    """More settings of the server, each `name=value`."""

    def further(self) -> dict[str, str]:
        """Return the further settings by name."""
        pairs = (setting.partition("=") for setting in self.settings)
        return {name: value for name, _, value in pairs}
