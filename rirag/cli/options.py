"""Define options that several commands share, and turn them into settings."""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from search.errors import InputError

if TYPE_CHECKING:
    from rirag.settings import Settings

_STEERING = re.compile(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)

index_option = click.option(
    "--index",
    metavar="URL",
    help="Folder of the index, or elasticsearch+http(s)://HOST:9200/NAME, or "
    "opensearch+http(s)://HOST:9200/NAME.  [default: rirag-index]",
)
encoder_option = click.option(
    "--encoder", metavar="NAME", help="Encoder.  [default: that of the index]"
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of encoder processes, each with its own copy of the model.",
)
strict_option = click.option(
    "--strict", is_flag=True, help="Do nothing if any file or record is refused."
)
k_option = click.option("-k", type=int, metavar="N", help="Number of hits.  [default: 10]")


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how sources are read; the command takes them as `reading`."""

    @wraps(command)
    def with_reading(
        format_: str,
        granularity: Any,
        footnotes: bool,
        titles: Path | None,
        mapped: tuple[str, ...],
        **others: Any,
    ) -> None:
        from indexer.readers.json.fields import parse_fields
        from rirag.service.loading import Reading

        fields = parse_fields(mapped)
        command(reading=Reading(format_, titles, granularity, footnotes, fields), **others)

    return with_options(
        with_reading,
        click.option(
            "--format",
            "format_",
            default="auto",
            show_default=True,
            metavar="NAME",
            help="Format of the sources (docs/formats.md); auto detects it for each file.",
        ),
        click.option(
            "--granularity",
            metavar="NAME",
            help="Smallest unit of an act that becomes a passage: article, paragraph, clause or "
            "point (marked-up law only).  [default: clause]",
        ),
        click.option(
            "--footnotes",
            is_flag=True,
            help="Read each footnote of a DOCX, ODT or PDF file as a passage instead of leaving it "
            "out.",
        ),
        click.option(
            "--map",
            "mapped",
            multiple=True,
            metavar="FIELD=YOURS,…",
            help="Field of JSON records, or column of a table, that holds what: "
            "PassageID=article,Passage=text.  [default: guessed and shown]",
        ),
        click.option(
            "--titles",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="JSON object that maps DocumentID to title.  [default: titles.json beside the "
            "sources]",
        ),
        click.option(
            "--verbose",
            is_flag=True,
            expose_value=False,
            callback=_log_to_stderr,
            help="Print what a bug report needs where rirag itself fails on a file.",
        ),
    )


def _log_to_stderr(_: click.Context, __: click.Parameter, verbose: bool) -> None:
    if verbose:
        logging.basicConfig(format="rirag: %(message)s")
        logging.getLogger("indexer").setLevel(logging.INFO)


def ranking_options(command: F) -> F:
    """Add the options that shape a ranking."""
    return with_options(
        command,
        index_option,
        click.option("--profile", metavar="NAME", help="Fusion profile (docs/profiles.md)."),
        click.option(
            "--filter",
            "filters",
            multiple=True,
            metavar="FIELD=VALUE",
            help="Only search passages that match; repeat a field for any of several values.",
        ),
        click.option("--reranker", metavar="NAME", help="Reranker for the top candidates."),
        click.option("--no-rerank", is_flag=True, help="Do not rerank."),
        click.option(
            "--no-answered-questions", is_flag=True, help="Do not let answered questions vote."
        ),
        encoder_option,
    )


def llm_options(command: F) -> F:
    """Add the options that name a language model."""
    return with_options(
        command,
        click.option(
            "--llm-url",
            metavar="URL",
            help="URL of an OpenAI-compatible server (key: RIRAG_LLM_API_KEY).",
        ),
        click.option("--llm-model", metavar="NAME", help="Name of the model on that server."),
    )


def judge_option(default: str) -> Callable[[F], F]:
    """Return the option of a judge; the default is used where no setting says otherwise."""
    return click.option(
        "--judge",
        metavar="NAME",
        help="Judge for statements that the comparison of words leaves in doubt: none, "
        "cross-encoder, a reranker, nli:MODEL, or llm (docs/verification.md).  "
        f"[default: {default}]",
    )


def with_options(command: F, *options: Callable[[F], F]) -> F:
    """Add options to a command, in this order of its help."""
    for option in reversed(options):
        command = option(command)
    return command


def make_settings(**flags: Any) -> Settings:
    """Return the settings; a flag that is None was not given."""
    from rirag.settings import Settings

    settings = Settings(**flags)
    if settings.encoder_threads is not None:
        # The encoders read it there; it may be in rirag.toml.
        os.environ["RIRAG_ENCODER_THREADS"] = str(settings.encoder_threads)
    return settings


def search_settings(options: dict[str, Any], *more: str, **flags_given: Any) -> Settings:
    """Return the settings of a command with `ranking_options`, and with more options by name."""
    names = ("index", "profile", "reranker", "encoder", *more)
    flags = {name: options[name] for name in names}
    switches = {
        "rerank": options["no_rerank"],
        "answered_questions": options["no_answered_questions"],
    }
    off = {name: False for name, given in switches.items() if given}
    return make_settings(**flags, **off, **flags_given)


def parse_filters(filters: Iterable[str]) -> dict[str, list[str]]:
    """Read `FIELD=VALUE` options.

    Raises:
        InputError: one of them has another form.
    """
    fields: dict[str, list[str]] = {}
    for condition in filters:
        field, equals, value = condition.partition("=")
        if not (field and equals and value):
            raise InputError(
                f"--filter {condition!r} is not FIELD=VALUE, such as document=COBS",
                code="filter.invalid",
            )
        fields.setdefault(field, []).append(value)
    return fields


@dataclass
class Output:
    """Remember what a run of the command line has printed."""

    has_json: bool = False


def print_json(value: object, indent: int | None = 2) -> None:
    """Print one JSON value; escape what the encoding of the output lacks."""
    context = click.get_current_context(silent=True)
    output = None if context is None else context.find_object(Output)
    if output is not None:
        output.has_json = True
    text = json_text(value, indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    click.echo(text)


def print_result(as_json: bool, to_json: Callable[[], object], to_text: Callable[[], str]) -> None:
    """Print what a command has found or done: for programs, or for people."""
    if as_json:
        print_json(to_json())
    else:
        from generation.text.sanitize import printable

        click.echo(printable(to_text()))


def this_command() -> str:
    """Return the command line that is running, without secrets, as a report shows it."""
    from search.messages.redaction import without_secrets

    return shlex.join(["rirag", *map(without_secrets, sys.argv[1:])])


def three_numbers(flag: str, text: str, example: str) -> list[float]:
    """Read an option of three numbers, none below 0 and one above.

    Raises:
        InputError: it has another form.
    """
    try:
        found = [float(one) for one in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3 or min(found) < 0 or not sum(found) > 0:
        raise InputError(
            f"{flag} {text!r} is not three numbers, such as {example}", code="option.invalid"
        )
    return found


def refuse_per_question(per_question: bool, as_json: bool) -> None:
    """Refuse `--per-question` without `--json`."""
    if per_question and not as_json:
        raise InputError(
            "--per-question adds to the output of --json; give both.", code="option.invalid"
        )


def raise_problems(refused: Sequence[str], left_out: str, losses: Sequence[str]) -> None:
    """Raise one `InputError` for files that were refused or lost text; nothing for none.

    Args:
        refused: problems of files that were left out as a whole.
        left_out: the sentence that says so; empty: none.
        losses: files that were read and lost text, and documents that were not read.
    """
    from indexer.load.report import count

    lines = [*refused, *([left_out] if refused and left_out else []), *losses]
    if losses:
        lines.append(f"{count(len(losses), 'file')} with text in no passage.")
    if lines:
        raise InputError("\n".join(lines), code="source.refused")


def json_text(value: object, indent: int | None = None) -> str:
    """Return JSON in which what steers a terminal, or cannot be encoded, is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
