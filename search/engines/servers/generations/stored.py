"""What the server holds of an index: its complete generations, and what loads left half-made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Client
from search.engines.servers.connection.names import document_index, is_generation, passage_index
from search.engines.servers.generations.manifest import META, Manifest
from search.errors import IndexUnavailableError


@dataclass(frozen=True, slots=True)
class Generation:
    """One complete state of an index."""

    manifest: Manifest
    passages: str
    """Name of the concrete index of passages."""
    documents: str
    """Name of the concrete index of whole documents."""


def complete(client: Client, address: ServerAddress) -> list[Generation]:
    """Return every complete generation that the server holds, oldest first."""
    return [one for one in _found(client, address) if isinstance(one, Generation)]


def leftovers(client: Client, address: ServerAddress) -> list[str]:
    """Return the names of what loads that died have left half-made."""
    return [one for one in _found(client, address) if isinstance(one, str)]


def names_of(address: ServerAddress, stamp: str) -> tuple[str, str]:
    """Return what the two indices of a generation are called."""
    return passage_index(address.name, stamp), document_index(address.name, stamp)


def _found(client: Client, address: ServerAddress) -> list[Generation | str]:
    """Return all that belongs to the index: complete generations, and names of anything else.

    What has an alias is in use, whatever it looks like, and is never among the latter.
    """
    indices = client.request("GET", f"/{address.name}-*", expand_wildcards="open,closed")
    found: list[Generation | str] = []
    stamps = {index.rpartition("-")[2] for index in indices}
    for stamp in sorted(filter(is_generation, stamps)):
        passages, documents = names_of(address, stamp)
        ours = _manifest(indices.get(passages))
        if ours.get("state") == "complete" and ours.get("generation") == stamp:
            manifest = _readable(address, ours)
            if manifest is not None and documents in indices:
                found.append(Generation(manifest, passages, documents))
            continue
        if ours:
            found += _unused(indices, passages)
        # With a manifest, it is not what it is called, and not ours to delete.
        if ours or (passages not in indices and not _manifest(indices.get(documents))):
            found += _unused(indices, documents)
    return found


def _manifest(index: dict[str, Any] | None) -> dict[str, Any]:
    """Return the manifest in an index as it is there; {} where there is none."""
    meta = (index or {}).get("mappings", {}).get("_meta") or {}
    found = meta.get(META)
    return found if isinstance(found, dict) else {}


def _unused(indices: dict[str, Any], name: str) -> list[str]:
    return [name] if name in indices and not indices[name].get("aliases") else []


def _readable(address: ServerAddress, content: dict[str, Any]) -> Manifest | None:
    """Return a manifest if this rirag can read it."""
    try:
        return Manifest.of_mapping(address, {"_meta": {META: content}})
    except IndexUnavailableError:
        return None
