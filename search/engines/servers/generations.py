"""The generations of an index on the server: which is searched, which was before, which may go.

NAME and NAME-documents are aliases of the two indices of one generation. This module moves the
aliases and removes indices; it never looks at passages. An alias goes with its index, so that one
is missing as soon as somebody deletes one of the two indices.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from search.engines.protocol import IndexDescription
from search.engines.servers.connection.address import BESIDE, is_generation
from search.engines.servers.connection.client import Client
from search.engines.servers.connection.faults import NotFoundError
from search.engines.servers.manifest import META, Generation, Manifest, complete
from search.engines.servers.writer import Writer
from search.errors import (
    IndexCorruptError,
    IndexLostError,
    IndexUnavailableError,
    InputError,
    RiragError,
)
from search.messages.refusals import on_index

SECONDS_A_MINUTE = 60

Indices = tuple[str | None, str | None]
"""What the aliases of passages and documents name; None where one is missing."""


def exists(client: Client) -> bool:
    """Return whether anything is there of an index, be it one that lost an alias, or both."""
    return any(_behind(client, one) for one in client.address.aliases) or bool(_kept_state(client))


def resolve(client: Client) -> Generation:
    """Return the generation that the aliases name now.

    Raises:
        IndexUnavailableError: there is no index, or it is not an index of this rirag.
        IndexCorruptError: its aliases do not name one complete generation.
    """
    address = client.address
    passages, documents, mapping = _targets(client)
    manifest = Manifest.of_mapping(address, mapping)
    named = address.indices(manifest.generation)
    if manifest.state != "complete" or (passages, documents) != named:
        raise IndexCorruptError(
            f"the aliases of {address.url} do not name one complete state (they name {passages} "
            f"and {documents})"
            + (_but_complete(client) or "; put them back, or ingest into another name")
        )
    return Generation(manifest, passages, documents)


def replaceable(client: Client) -> tuple[str, str]:
    """Return the indices that a load will replace, whatever rirag made them.

    Raises:
        IndexUnavailableError: there is no index, or the name belongs to another program.
        IndexLostError: one of its aliases is missing, or both.
    """
    passages, documents, mapping = _targets(client)
    if META not in (mapping.get("_meta") or {}):
        Manifest.of_mapping(client.address, mapping)
    return passages, documents


def publish(client: Client, new: Generation, old: Indices) -> None:
    """Let both aliases name a new generation instead of the old indices, in one step."""
    aliases = client.address.aliases
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
        with suppress(RiragError):
            if resolve(client).passages == new.passages:
                return  # only the answer was lost
        raise


def set_manifest(client: Client, index: str, manifest: Manifest) -> None:
    """Write a manifest into the index that it describes."""
    client.request("PUT", f"/{index}/_mapping", {"_meta": manifest.meta()})


def roll_back(client: Client) -> IndexDescription:
    """Let the aliases name the generation before the current one, and describe it.

    Raises:
        InputError: there is no earlier generation.
        IndexUnavailableError: there is no index, or it is not an index of rirag.
    """
    _way_back(client)  # refuses before anything is written
    writer = Writer(client)
    try:
        indices, left, target = _way_back(client)
        writer.check()
        publish(client, target, indices)
        if left is not None:
            noted = left.manifest.model_copy(update={"rolled_back": time.time()})
            with suppress(RiragError):  # the aliases have moved: this is a note for later loads
                set_manifest(client, left.passages, noted)
    finally:
        writer.leave(keep_vectors=True)
    return target.manifest.describe(client)


def _way_back(client: Client) -> tuple[Indices, Generation | None, Generation]:
    """Return what the aliases name, the generation that it is if it is whole, and the target."""
    try:
        current = resolve(client)
    except (IndexLostError, IndexCorruptError) as error:
        found = remains(client)
        if found is None:
            raise
        indices, kept = found
        if kept is not None:
            return indices, None, kept
        if isinstance(error, IndexCorruptError):
            raise _nothing_before(client) from error
        raise
    for one in complete(client):
        if one.manifest.generation == current.manifest.previous:
            return (current.passages, current.documents), current, one
    raise _nothing_before(client)


def _nothing_before(client: Client) -> InputError:
    return InputError(
        f"{client.address.url} has no earlier state to return to; the server keeps the one "
        "before the last load",
        code="index.no-earlier-state",
    )


def retire(client: Client, current: Generation) -> None:
    """Delete the generations that nobody needs any more.

    The current one stays, the one before it, and those that were replaced less than
    `ServerOptions.keep_minutes` ago, for they may be open somewhere.
    """
    found = complete(client)
    kept = {current.manifest.generation, current.manifest.previous}
    for one in found:
        age = time.time() - _replaced(one, found)
        old = age >= client.options.keep_minutes * SECONDS_A_MINUTE
        if one.manifest.generation not in kept and old:
            delete(client, one.passages, one.documents)


def _replaced(generation: Generation, found: list[Generation]) -> float:
    """Return when a generation was searched last by those who opened the index then."""
    own = generation.manifest
    successors = [one.manifest for one in found if one.manifest.previous == own.generation]
    return max(own.published, own.rolled_back or 0.0, *(one.published for one in successors))


def set_copies(client: Client, settings: Mapping[str, Any]) -> None:
    """Give every complete generation another number of copies."""
    found = complete(client)
    if found:
        names = ",".join(f"{one.passages},{one.documents}" for one in found)
        client.request("PUT", f"/{names}/_settings", {"index": settings})


def delete(client: Client, *indices: str) -> None:
    """Delete indices by their full names; one that is gone already is not a fault."""
    for index in indices:
        with suppress(NotFoundError):
            client.request("DELETE", f"/{index}")


def delete_unused(client: Client, generation: Generation) -> None:
    """Delete a generation unless an alias names it: a lost answer may have made us think so."""
    for index in (generation.passages, generation.documents):
        aliases = client.request("GET", f"/{index}/_alias")
        if not aliases[index]["aliases"]:
            delete(client, index)


def _targets(client: Client) -> tuple[str, str, dict[str, Any]]:
    """Return the indices behind both aliases and the mapping of the first."""
    aliases = client.address.aliases
    try:
        indices = client.request("GET", f"/{','.join(aliases)}")
    except NotFoundError:
        raise _aliases_missing(client) from None
    if not indices.keys().isdisjoint(aliases):
        raise _not_ours(client, "it is an index, not an alias")
    passages, documents = (_one_behind(client, indices, alias) for alias in aliases)
    return passages, documents, indices[passages]["mappings"]


def _one_behind(client: Client, indices: dict[str, Any], alias: str) -> str:
    having = sorted(name for name, one in indices.items() if alias in one["aliases"])
    if not having:
        raise _not_ours(client, f"{alias} is not an alias")
    if len(having) > 1:
        raise IndexUnavailableError(
            f"the index {client.address.url} cannot be used: the alias {alias} names several "
            f"indices ({', '.join(having)}); point it to one of them, or choose "
            "another name",
            code="index.aliases",
        )
    return having[0]


def remains(client: Client) -> tuple[Indices, Generation | None] | None:
    """Return what the aliases still name, and a complete state that both can name instead.

    None: an alias is another program's.
    """
    named = _named(client)
    if _others(named):
        return None
    passages, documents = (next(iter(found), None) for found in named.values())
    kept = complete(client)
    # That which an alias names, else the newest that nobody went back from.
    of_alias = [one for one in kept if one.passages == passages or one.documents == documents]
    wanted = [one for one in kept if one.manifest.rolled_back is None]
    return (passages, documents), next(reversed(of_alias or wanted or kept), None)


def _kept_state(client: Client) -> Generation | None:
    """Return the complete state that the aliases can name instead, as far as one may look.

    Who only searches may lack the right to.
    """
    with suppress(RiragError):
        found = remains(client)
        return found[1] if found else None
    return None


def _but_complete(client: Client) -> str:
    """Return how a sentence on aliases continues where a complete state is there; else ""."""
    kept = _kept_state(client)
    if kept is None:
        return ""
    return (
        f", but its state {kept.manifest.generation} is complete on the server; "
        f"return to it with: {on_index('rirag reindex --rollback', client.address.url)}"
    )


def _aliases_missing(client: Client) -> IndexUnavailableError:
    url, named = client.address.url, _named(client)
    if others := _others(named):
        have_it = f"{', '.join(others)} {'answers' if len(others) == 1 else 'answer'}"
        return _not_ours(client, f"{have_it} to its name, or to that of its documents")
    absent = [alias for alias, found in named.items() if not found]
    goes_on = _but_complete(client)
    if len(absent) == len(named) and not goes_on:
        return IndexUnavailableError(
            f"the index {url} does not exist; make it with: "
            + on_index("rirag ingest SOURCE", url),
            code="index.missing",
        )
    missing = f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} missing"
    return IndexLostError(
        f"the index {url} cannot be used: {missing}"
        + (goes_on or f"; restore a snapshot, or {_begin_anew(client)}")
    )


def _not_ours(client: Client, reason: str) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"the index {client.address.url} was not made by rirag ({reason}); choose another name for "
        "yours",
        code="index.foreign",
    )


def _begin_anew(client: Client) -> str:
    """Return what to do where nothing is left; answered questions have no name of their own."""
    owner = client.address.name.removesuffix(BESIDE)
    if owner == client.address.name or not _behind(client, owner):
        return "choose another name"
    url = client.address.url.rstrip("/").removesuffix(BESIDE)
    return (
        "delete the answered questions with: "
        f"{on_index('rirag questions remove --all', url)}, and add the questions again"
    )


def _named(client: Client) -> dict[str, list[str]]:
    """Return alias → indices behind it, or behind whatever else has its name."""
    return {alias: _behind(client, alias) for alias in client.address.aliases}


def _behind(client: Client, name: str) -> list[str]:
    try:
        return sorted(client.request("GET", f"/{name}/_mapping"))
    except NotFoundError:
        return []


def _others(named: dict[str, list[str]]) -> list[str]:
    """Return what aliases name that is not an index of a generation, or one too many."""
    return [
        index
        for alias, indices in named.items()
        for index in indices
        if len(indices) > 1
        or not (index.startswith(f"{alias}-") and is_generation(index.removeprefix(f"{alias}-")))
    ]
