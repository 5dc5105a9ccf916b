"""Implement `rirag keys`: manage who may use a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import options, parse_filters, print_json
from rirag.refusals import unusable


@click.group()
def command() -> None:
    """Add, list and revoke the keys of a server."""


@command.command()
@click.argument("name")
@options("keys-add")
def add(
    name: str, scopes: tuple[str, ...], filters: tuple[str, ...], rate: int, answers: int,
    file: Path,
) -> None:  # fmt: skip
    """Add a key with a NAME and print it. It is not stored in readable form, so keep it.

    With --filter, the key sees only passages that match the filter.
    """
    from rirag.server.access.keys import KeysFile

    keys = KeysFile(file)
    bound = parse_filters(filters)
    click.echo(keys.add(name, _checked(scopes), bound, rate, answers))


@command.command("list")
@options("keys-list")
def list_(file: Path, as_json: bool) -> None:
    """List the keys by name; the keys themselves are not stored."""
    from rirag.server.access.keys import KeysFile

    found = KeysFile(file).keys()
    if as_json:
        print_json([key.model_dump(mode="json", exclude={"sha256"}) for key in found])
        return
    width = max((len(key.name) for key in found), default=0)
    for key in found:
        conditions = [f"{name}={value}" for name, values in key.filters.items() for value in values]
        bound = f"  sees {', '.join(conditions)}" if conditions else ""
        limits = f"{key.requests_per_minute} requests/min, {key.answers_at_once} answers at a time"
        click.echo(f"{key.name:{width}}  {','.join(key.scopes)}  {limits}  {key.created}{bound}")


@command.command()
@click.argument("name")
@options("keys")
def revoke(name: str, file: Path) -> None:
    """Revoke the key with a NAME; a running server refuses its next request."""
    from rirag.server.access.keys import KeysFile

    KeysFile(file).revoke(name)
    click.echo(f"{name} was revoked.", err=True)


def _checked(scopes: tuple[str, ...]) -> Any:
    from rirag.server.access.keys import SCOPES

    given = [one.strip() for scope in scopes for one in scope.split(",") if one.strip()]
    unknown = [scope for scope in given if scope not in SCOPES]
    if unknown:
        raise unusable("option.invalid/scope", name=unknown[0], names=", ".join(SCOPES))
    return given
