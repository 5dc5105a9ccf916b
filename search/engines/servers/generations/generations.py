"""The generations of an index on the server: which is searched, which was before, which may go.

NAME and NAME-documents are aliases of the two indices of one generation. This module moves the
aliases and removes indices; it never looks at passages.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from search.engines.servers.connection.address import ServerAddress, document_alias
from search.engines.servers.connection.client import Client, NotFoundError
from search.engines.servers.generations.alias_repair import (
    aliases_missing,
    but_complete,
    kept_state,
    not_ours,
)
from search.engines.servers.generations.manifest import (
    META,
    Generation,
    Manifest,
    complete,
    leftovers,
    names_of,
)
from search.errors import IndexCorruptError, IndexUnavailableError, InputError, RiragError

SECONDS_A_MINUTE = 60


def exists(client: Client, address: ServerAddress) -> bool:
    """Return whether anything is there of an index, be it one that lost an alias, or both."""
    names = (address.name, document_alias(address.name))
    return any(_exists(client, name) for name in names) or bool(kept_state(client, address))


def resolve(client: Client, address: ServerAddress) -> Generation:
    """Return the generation that the aliases name now.

    Raises:
        IndexUnavailableError: there is no index, or it is not an index of this rirag.
        IndexCorruptError: its aliases do not name one complete generation.
    """
    passages, documents, mapping = _targets(client, address)
    manifest = Manifest.of_mapping(address, mapping)
    named = names_of(address, manifest.generation)
    if manifest.state != "complete" or (passages, documents) != named:
        raise IndexCorruptError(
            f"the aliases of {address.url} do not name one complete state (they name {passages} "
            f"and {documents})"
            + (but_complete(client, address) or "; put them back, or ingest into another name")
        )
    return Generation(manifest, passages, documents)


def replaceable(client: Client, address: ServerAddress) -> tuple[str, str]:
    """Return the indices that a load will replace, whatever rirag made them.

    Raises:
        IndexUnavailableError: there is no index, or the name belongs to another program.
        IndexLostError: one of its aliases is missing, or both.
    """
    passages, documents, mapping = _targets(client, address)
    if META not in (mapping.get("_meta") or {}):
        Manifest.of_mapping(address, mapping)
    return passages, documents


def publish(
    client: Client,
    address: ServerAddress,
    new: Generation,
    old: tuple[str | None, str | None],
) -> None:
    """Let both aliases name a generation from now on, in one step.

    Args:
        client: of the server.
        address: of the index.
        new: what is searched from now on.
        old: the two indices that the aliases name until now; None where one is missing.
    """
    aliases = (address.name, document_alias(address.name))
    actions: list[dict[str, Any]] = [
        {"remove": {"index": index, "alias": alias, "must_exist": True}}
        for index, alias in zip(old, aliases, strict=True)
        if index is not None
    ]
    actions += [
        {"add": {"index": index, "alias": alias}}
        for index, alias in zip((new.passages, new.documents), aliases, strict=True)
    ]
    try:
        client.request("POST", "/_aliases", {"actions": actions})
    except RiragError:
        if not _is_published(client, address, new):
            raise  # else only the answer was lost


def set_manifest(client: Client, index: str, manifest: Manifest) -> None:
    """Write a manifest into the index that it describes."""
    client.request("PUT", f"/{index}/_mapping", {"_meta": manifest.meta()})


def before(client: Client, address: ServerAddress, current: Generation) -> Generation:
    """Return the generation that the current one replaced.

    Raises:
        InputError: there is none any more.
    """
    previous = current.manifest.previous
    for one in complete(client, address):
        if one.manifest.generation == previous:
            return one
    raise nothing_before(address)


def nothing_before(address: ServerAddress) -> InputError:
    """Return the error for an index without an earlier state."""
    return InputError(
        f"{address.url} has no earlier state to return to; the server keeps the one "
        "before the last load",
        code="index.no-earlier-state",
    )


def retire(
    client: Client, address: ServerAddress, current: Generation, keep_minutes: float
) -> None:
    """Delete the generations that nobody needs any more.

    The current one stays, the one before it, and those that were replaced less than
    `keep_minutes` ago, for they may be open somewhere.
    """
    found = complete(client, address)
    kept = {current.manifest.generation, current.manifest.previous}
    for one in found:
        age = time.time() - _replaced(one, found)
        if one.manifest.generation not in kept and age >= keep_minutes * SECONDS_A_MINUTE:
            delete(client, one.passages, one.documents)


def remove_leftovers(client: Client, address: ServerAddress) -> None:
    """Delete what loads that died have left half-made. Only the one writer may do this."""
    delete(client, *leftovers(client, address))


def set_copies(client: Client, address: ServerAddress, settings: Mapping[str, Any]) -> None:
    """Give every complete generation another number of copies."""
    found = complete(client, address)
    if found:
        names = ",".join(f"{one.passages},{one.documents}" for one in found)
        client.request("PUT", f"/{names}/_settings", {"index": settings})


def delete(client: Client, *indices: str) -> None:
    """Delete indices by their full names; one that is gone already is not a fault."""
    for index in indices:
        try:
            client.request("DELETE", f"/{index}")
        except NotFoundError:
            continue


def delete_unused(client: Client, generation: Generation) -> None:
    """Delete a generation unless an alias names it: a lost answer may have made us think so."""
    for index in (generation.passages, generation.documents):
        aliases = client.request("GET", f"/{index}/_alias")
        if not aliases[index]["aliases"]:
            delete(client, index)


def _exists(client: Client, name: str) -> bool:
    try:
        client.request("GET", f"/{name}/_mapping")
    except NotFoundError:
        return False
    return True


def _is_published(client: Client, address: ServerAddress, generation: Generation) -> bool:
    try:
        return resolve(client, address).passages == generation.passages
    except RiragError:
        return False


def _targets(client: Client, address: ServerAddress) -> tuple[str, str, dict[str, Any]]:
    """Return the indices behind both aliases and the mapping of the first."""
    name, alias = address.name, document_alias(address.name)
    try:
        indices = client.request("GET", f"/{name},{alias}")
    except NotFoundError:
        raise aliases_missing(client, address) from None
    if name in indices or alias in indices:
        raise not_ours(address, "it is an index, not an alias")
    passages = _behind(address, indices, name)
    return passages, _behind(address, indices, alias), indices[passages]["mappings"]


def _behind(address: ServerAddress, indices: dict[str, Any], alias: str) -> str:
    """Return the one index that has an alias."""
    having = sorted(name for name, one in indices.items() if alias in one["aliases"])
    if not having:
        raise not_ours(address, f"{alias} is not an alias")
    if len(having) > 1:
        raise IndexUnavailableError(
            f"the index {address.url} cannot be used: the alias {alias} names several "
            f"indices ({', '.join(having)}); point it to one of them, or choose "
            "another name",
            code="index.aliases",
        )
    return having[0]


def _replaced(generation: Generation, found: list[Generation]) -> float:
    """Return when a generation was searched last by those who opened the index then."""
    own = generation.manifest
    successors = [one.manifest for one in found if one.manifest.previous == own.generation]
    ends = [own.published, own.rolled_back or 0.0, *(one.published for one in successors)]
    return max(ends)
