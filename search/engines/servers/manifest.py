"""The generations that a server holds, and what each says of itself in its passage index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from search.engines.protocol import SCHEMA_VERSION, IndexDescription
from search.engines.schema import StoredDescription
from search.engines.servers.connection.address import ServerAddress, is_generation
from search.engines.servers.connection.client import Client
from search.errors import IndexCorruptError, IndexUnavailableError
from search.messages.refusals import on_index

META = "rirag"
"""Our key in `_meta`; others may have theirs beside it."""


class Manifest(StoredDescription):
    """Written when a generation is begun and again, complete, right before it is published."""

    state: Literal["building", "complete"] = "building"
    generation: str
    """The time stamp that ends the names of its indices."""
    exact: bool
    """Whether vectors are compared one by one; else by an HNSW graph."""
    size_bytes: int = 0
    previous: str = ""
    """The generation that this one took the place of."""
    published: float = 0.0
    """When it was complete, in seconds since 1970."""
    rolled_back: float | None = None
    """When users went back from it to the one before, in seconds since 1970."""

    def meta(self) -> dict[str, Any]:
        """Return the `_meta` of a mapping."""
        return {META: self.model_dump(mode="json")}

    @classmethod
    def of_mapping(cls, address: ServerAddress, mapping: dict[str, Any]) -> Manifest:
        """Read the manifest out of an index's mapping (`{"_meta": …, "properties": …}`).

        Raises:
            IndexUnavailableError: another program made the index, or a newer rirag.
            IndexCorruptError: the manifest is ours and cannot be understood.
        """
        content = (mapping.get("_meta") or {}).get(META)
        if content is None:
            raise IndexUnavailableError(
                f"the index {address.url} was not made by rirag; choose another name for yours",
                code="index.foreign",
            )
        version = content.get("schema_version") if isinstance(content, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise IndexUnavailableError(
                f"the index {address.url} was written by a newer rirag (index version {version}, "
                f"this one reads up to {SCHEMA_VERSION}); upgrade rirag, or use another index name",
                code="index.newer",
            )
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            what = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise IndexCorruptError(
                f"the description of the index {address.url} is damaged ({what}); "
                "return to the previous state with: "
                f"{on_index('rirag reindex --rollback', address.url)}"
            ) from error

    def describe(self, client: Client) -> IndexDescription:
        """Return what callers get to know of the generation."""
        return self.description(
            url=client.address.url,
            size_bytes=self.size_bytes,
            generation=self.generation,
            engine=str(client),
            vector_search="exact" if self.exact else client.graph,
        )


@dataclass(frozen=True, slots=True)
class Generation:
    """One complete state of an index."""

    manifest: Manifest
    passages: str
    """Name of the concrete index of passages."""
    documents: str
    """Name of the concrete index of whole documents."""


def complete(client: Client) -> list[Generation]:
    """Return every complete generation that the server holds, oldest first."""
    return [one for one in _found(client) if isinstance(one, Generation)]


def leftovers(client: Client) -> list[str]:
    """Return what loads that died have left half-made; only the one writer may delete it."""
    return [one for one in _found(client) if isinstance(one, str)]


def _found(client: Client) -> list[Generation | str]:
    """Return all that belongs to the index: complete generations, and names of anything else.

    What has an alias is in use, whatever it looks like, and is never among the latter.
    """
    address = client.address
    indices = client.request("GET", f"/{address.name}-*", expand_wildcards="open,closed")
    found: list[Generation | str] = []
    stamps = {index.rpartition("-")[2] for index in indices}
    for stamp in sorted(filter(is_generation, stamps)):
        passages, documents = address.indices(stamp)
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
    try:
        return Manifest.of_mapping(address, {"_meta": {META: content}})
    except IndexUnavailableError:
        return None
