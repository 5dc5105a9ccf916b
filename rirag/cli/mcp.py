"""Implement `rirag mcp`: the tools of an index for an assistant."""

from __future__ import annotations

import click

from rirag.cli.options import make_settings, options


@click.command()
@options("index")
def command(index: str | None) -> None:
    """Give an assistant the tools of an index, over standard input and output.

    Add `rirag mcp --index INDEX` to the assistant's list of MCP servers. The tools only read.
    """
    from rirag.server.mcp.over_stdio import serve_stdio

    serve_stdio(make_settings(index=index))
