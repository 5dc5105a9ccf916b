"""Define the command `rirag`, a thin layer over `indexer`, `search`, `generation` and `rirag`.

Each command is a module of its own, loaded only when it is used, so that `--help` is quick.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

COMMANDS = {
    "ingest": "Load regulations into an index.",
    "encode": "Encode a load in shards, on any machines, before it is loaded.",
    "structure": "Show how rirag reads a document, without loading it.",
    "reindex": "Rebuild an index with another encoder or with changed settings.",
    "search": "Find the passages that answer a question.",
    "ask": "Answer a question and cite the rule behind every statement.",
    "verify": "Check each statement of an answer against the passages it cites.",
    "compare": "Show what changed between two versions of a document.",
    "changes": "Show what changed in the law since a day, and what that affects.",
    "documents": "List, show and delete the documents of an index.",
    "questions": "Add, list and remove answered questions, which improve similar searches.",
    "evaluate": "Measure retrieval and answers on questions with known passages.",
    "study": "Collect expert scores for answers with a form that works offline.",
    "dataset": "Build, check, split and export questions with their passages.",
    "train": "Fine-tune the models of search on your own questions.",
    "serve": "Serve an index: a page, an HTTP API, and MCP tools.",
    "keys": "Add, list and revoke the keys of a server.",
    "forget": "Delete answers that a server stored, with their questions and feedback.",
    "mcp": "Give an assistant the tools of an index (MCP over standard input and output).",
    "doctor": "Check the installation, the settings and the index.",
}
"""Name → description, in the order shown; the module of a command has its name."""

ELSEWHERE = {"encode": "ingest", "mcp": "serve"}
"""Commands of another module."""

WORKBENCH = ("evaluate", "study", "dataset", "train")
"""Commands of the package `rirag-workbench`, which registers them in `GROUP`."""
GROUP = "rirag.commands"

WRITING = ("ingest", "encode", "reindex")
"""Commands that continue where they were interrupted."""

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order they are documented."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """Import the module of a command."""
        if name not in COMMANDS:
            return None
        if name in WORKBENCH:
            return _of_workbench(name)
        module = import_module(f"rirag.cli.{ELSEWHERE.get(name, name)}")
        command: click.Command = getattr(module, name if name in ELSEWHERE else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with."""
        from search.messages.refusals import unknown_name

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(unknown_name("command", args[0], tuple(COMMANDS)))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _of_workbench(name: str) -> click.Command:
    from importlib.metadata import entry_points

    from search.errors import MissingDependencyError

    for entry in entry_points(group=GROUP, name=name):
        command: click.Command = entry.load()
        return command
    raise MissingDependencyError(f"`rirag {name}`", workbench=True)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rirag", prog_name="rirag")
def rirag() -> None:
    """Search regulations and get answers that cite the rule behind every statement.

    Settings come from flags, the environment (RIRAG_INDEX, RIRAG_LLM_URL, …) and rirag.toml in the
    working directory, in this order of priority. `rirag doctor` shows the value and source of each.
    """


def main() -> None:
    """Run the command line; print a refusal as one sentence on stderr and exit with its code."""
    from rirag.cli.options import Output, print_json
    from search.errors import RiragError, StorageError

    if sys.stdout is None:
        click.echo("rirag: standard output is closed; nothing was printed", err=True)
        sys.exit(StorageError.exit_code)
    _replace_what_cannot_be_encoded()
    output = Output()
    try:
        code = rirag.main(prog_name="rirag", standalone_mode=False, obj=output)
    except click.ClickException as error:
        _with_hint(error).show()
        code = error.exit_code
    except RiragError as error:
        click.echo(f"rirag: {_printable(str(error))}", err=True)
        code = error.exit_code
        if "--json" in sys.argv[1:] and not output.has_json:
            print_json({"error": {"code": error.code, "message": str(error), "exit_code": code}})
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"rirag: interrupted{_after_interrupt()}", err=True)
        code = INTERRUPTED
    except OSError as error:  # click ends a run whose pipe was closed by itself
        click.echo(f"rirag: {_printable(_told(error))}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = StorageError.exit_code
    sys.exit(code)


def _with_hint(error: click.ClickException) -> click.ClickException:
    """Return an error that says what to do if the words of a question came one by one."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    takes_question = context is not None and context.info_name in ("ask", "search")
    if not takes_question or "unexpected extra argument" not in error.message:
        return error
    return click.UsageError(f"{error.message}; put the question in quotation marks", context)


def _after_interrupt() -> str:
    """Return what an interrupted command leaves behind, where it writes an index."""
    writes = next((one for one in sys.argv[1:] if not one.startswith("-")), "") in WRITING
    return "; the index is as it was before, and the same command continues" if writes else ""


def _replace_what_cannot_be_encoded() -> None:
    """Print `?` for characters that the encoding of the output lacks: quotes, arrows, names."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")


def _told(error: OSError) -> str:
    """Return what the system says, or the error's own words where the system said nothing."""
    if error.errno is None:
        return str(error)
    return f"{error.filename or 'the output cannot be written'}: {error.strerror}"


def _printable(text: str) -> str:
    from generation.text.sanitize import printable

    return printable(text)
