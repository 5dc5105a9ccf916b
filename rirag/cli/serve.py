"""Implement `rirag serve`: the page, the HTTP API and the MCP tools over an index."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import FILE, index_option, make_settings


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help=(
        "Address to listen on; any address that other machines can reach needs --keys.  "
        "[default: 127.0.0.1]"
    ),
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, metavar="N",
              help="Port; 0 chooses a free one.  [default: 8080]")  # fmt: skip
@index_option
@click.option(
    "--keys",
    type=FILE,
    metavar="FILE",
    help="File of keys (rirag keys); without it, this machine may do everything.",
)
@click.option("--read-only", is_flag=True, help="Refuse uploads and deletions.")
@click.option(
    "--data",
    type=FILE,
    default=Path("rirag-server"),
    metavar="FOLDER",
    help="Folder for answers, feedback and jobs.  [default: rirag-server]",
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="Another host name of the server; may be repeated.")  # fmt: skip
@click.option("--public-url", default="", metavar="URL",
              help="Where readers reach the server, such as https://example.com/law.")  # fmt: skip
@click.option("--root-path", default="", metavar="PATH",
              help="Path of that address alone, such as /law.")  # fmt: skip
@click.option("--trust-proxy", "proxies", multiple=True, metavar="ADDRESS",
              help="A proxy whose X-Forwarded headers are read; may be repeated.")  # fmt: skip
@click.option("--allow-origin", "origins", multiple=True, metavar="URL",
              help="Origin of programs in browsers; may be repeated.")  # fmt: skip
@click.option("--audit", type=FILE, metavar="FILE",
              help="Append every action and who took it to this file, as JSON lines.")  # fmt: skip
@click.option(
    "--log-questions", is_flag=True, help="Also write questions to the log and the audit file."
)
def command(  # noqa: PLR0913, PLR0917 - its options
    host: str,
    port: int,
    index: str | None,
    keys: Path | None,
    read_only: bool,
    data: Path,
    hosts: tuple[str, ...],
    public_url: str,
    root_path: str,
    proxies: tuple[str, ...],
    origins: tuple[str, ...],
    audit: Path | None,
    log_questions: bool,
) -> None:
    """Serve an index: a page for people, an HTTP API for programs, MCP for assistants.

    The command prints the address of the page. The API is below /v1, its description at /docs, and
    the MCP tools at /mcp. The log goes to standard error as JSON lines.
    """
    from rirag.server.options import ServeOptions
    from rirag.server.serving import serve
    from rirag.service.opening import why_closed

    options = ServeOptions(
        host=host, port=port, keys=keys, read_only=read_only, data=data, hosts=hosts, audit=audit,
        log_questions=log_questions, public_url=public_url, root_path=root_path, proxies=proxies,
        origins=origins,
    )  # fmt: skip
    settings = make_settings(index=index)

    def started(address: str) -> None:
        click.echo(f"rirag: {address}")
        if reason := why_closed(settings):
            click.echo(f"rirag: {reason}", err=True)

    serve(settings, options, started)
