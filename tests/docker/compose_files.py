"""The compose files as Compose reads them, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

DOCKER = Path(__file__).resolve().parents[2] / "docker"
FILES = ("compose.yaml", "compose.embedded.yaml")


def read(name: str) -> dict[str, Any]:
    """Return one file with its anchors and merges resolved."""
    with (DOCKER / name).open(encoding="utf-8") as file:
        content = yaml.safe_load(file)
    assert isinstance(content, dict)
    return content


def services() -> dict[str, dict[str, Any]]:
    """Return every service of every file by its name."""
    return {name: service for file in FILES for name, service in read(file)["services"].items()}


def servers() -> dict[str, dict[str, Any]]:
    """Return the two services that go on running."""
    found = services()
    return {name: found[name] for name in ("elasticsearch", "opensearch")}


def sources(service: dict[str, Any]) -> list[str]:
    """Return what a service mounts: names of volumes, and paths of the host."""
    return [
        volume["source"] if isinstance(volume, dict) else volume.rsplit(":", 2)[0]
        for volume in service.get("volumes", ())
    ]
