"""Implement `rirag serve` and `rirag mcp`: the page, the HTTP API and the MCP tools of an index."""

from __future__ import annotations

from typing import Any

import click

from rirag.cli.options import make_settings, options


@click.command()
@options("serve")
def command(index: str | None, tuning: str | None, **given: Any) -> None:
    """Serve an index: a page for people, an HTTP API for programs, MCP for assistants.

    The command prints the address of the page. The API is below /v1, its description at /docs, and
    the MCP tools at /mcp. The log goes to standard error as JSON lines.
    """
    from rirag.server.options import ServeOptions
    from rirag.server.serving import serve
    from rirag.service.opening import why_closed

    chosen = ServeOptions(**{name: one for name, one in given.items() if one is not None})
    settings = make_settings(index=index, tuning=tuning)

    def started(address: str) -> None:
        click.echo(f"rirag: {address}")
        if reason := why_closed(settings):
            click.echo(f"rirag: {reason}", err=True)

    serve(settings, chosen, started)


@click.command()
@options("index")
def mcp(index: str | None) -> None:
    """Give an assistant the tools of an index, over standard input and output.

    Add `rirag mcp --index INDEX` to the assistant's list of MCP servers. The tools only read.
    """
    from rirag.server.serving import serve_stdio

    serve_stdio(make_settings(index=index))
