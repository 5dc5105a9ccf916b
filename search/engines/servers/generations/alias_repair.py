"""Aliases that are missing: what to say, and which complete state they can name again.

An alias goes with its index, so that one is missing as soon as somebody deletes one of the two
indices of a generation.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from search.engines.servers.connection.address import (
    BESIDE,
    ServerAddress,
    document_alias,
    is_generation,
)
from search.engines.servers.connection.client import Client, NotFoundError
from search.engines.servers.generations.manifest import Generation, complete
from search.errors import IndexLostError, IndexUnavailableError, RiragError
from search.messages.refusals import on_index


@dataclass(frozen=True, slots=True)
class Remains:
    """What the aliases still name, and a complete state that both can name instead."""

    indices: tuple[str | None, str | None]
    """Behind the alias of the passages, and that of the documents; None where it is missing."""
    kept: Generation | None
    """None where there is none."""


def remains(client: Client, address: ServerAddress) -> Remains | None:
    """Look for a complete state; None where an alias is another program's."""
    named = _named(client, address)
    if _others(named):
        return None
    passages, documents = (next(iter(found), None) for found in named.values())
    kept = complete(client, address)
    return Remains((passages, documents), _best(kept, passages, documents) if kept else None)


def kept_state(client: Client, address: ServerAddress) -> Generation | None:
    """Return the complete state that the aliases can name instead, as far as one may look.

    Who only searches may lack the right to.
    """
    with suppress(RiragError):
        found = remains(client, address)
        return found.kept if found else None
    return None


def but_complete(client: Client, address: ServerAddress) -> str:
    """Return how a sentence on aliases continues where a complete state is there; else ""."""
    kept = kept_state(client, address)
    if kept is None:
        return ""
    return (
        f", but its state {kept.manifest.generation} is complete on the server; "
        f"return to it with: {on_index('rirag reindex --rollback', address.url)}"
    )


def aliases_missing(client: Client, address: ServerAddress) -> IndexUnavailableError:
    """Return the error for aliases of which one or both are missing."""
    named = _named(client, address)
    if others := _others(named):
        have_it = f"{', '.join(others)} {'answers' if len(others) == 1 else 'answer'}"
        return not_ours(address, f"{have_it} to its name, or to that of its documents")
    absent = [alias for alias, found in named.items() if not found]
    goes_on = but_complete(client, address)
    if len(absent) == len(named) and not goes_on:
        return IndexUnavailableError(
            f"the index {address.url} does not exist; make it with: "
            + on_index("rirag ingest SOURCE", address.url),
            code="index.missing",
        )
    return IndexLostError(
        f"the index {address.url} cannot be used: {_are_missing(absent)}"
        + (goes_on or f"; restore a snapshot, or {_begin_anew(client, address)}")
    )


def not_ours(address: ServerAddress, reason: str) -> IndexUnavailableError:
    """Return the error for a name that belongs to another program."""
    return IndexUnavailableError(
        f"the index {address.url} was not made by rirag ({reason}); choose another name for yours",
        code="index.foreign",
    )


def _begin_anew(client: Client, address: ServerAddress) -> str:
    """Return what to do where nothing is left; answered questions have no name of their own."""
    owner = address.name.removesuffix(BESIDE)
    if owner == address.name or not _behind(client, owner):
        return "choose another name"
    url = address.url.rstrip("/").removesuffix(BESIDE)
    return (
        "delete the answered questions with: "
        f"{on_index('rirag questions remove --all', url)}, and add the questions again"
    )


def _are_missing(aliases: list[str]) -> str:
    return f"{' and '.join(aliases)} {'is' if len(aliases) == 1 else 'are'} missing"


def _named(client: Client, address: ServerAddress) -> dict[str, list[str]]:
    """Return alias → indices behind it, or behind whatever else has its name."""
    aliases = (address.name, document_alias(address.name))
    return {alias: _behind(client, alias) for alias in aliases}


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
        if len(indices) > 1 or not _is_part(index, alias)
    ]


def _is_part(index: str, alias: str) -> bool:
    before, _, stamp = index.rpartition("-")
    return before == alias and is_generation(stamp)


def _best(kept: list[Generation], passages: str | None, documents: str | None) -> Generation:
    """Return the state that an alias names, else the newest that nobody went back from."""
    named = [one for one in kept if one.passages == passages or one.documents == documents]
    wanted = [one for one in kept if one.manifest.rolled_back is None]
    return (named or wanted or kept)[-1]
