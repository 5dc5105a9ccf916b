"""Define options that several commands share, and turn them into settings."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from search.errors import InputError

if TYPE_CHECKING:
    from rirag.settings import Settings

_STEERING = re.compile(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

F = TypeVar("F", bound=Callable[..., Any])

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
strict_option = click.option("--strict", is_flag=True, help="Do nothing if any file is refused.")
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

    return _with_options(
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
    )


def ranking_options(command: F) -> F:
    """Add the options that shape a ranking."""
    return _with_options(
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


def _with_options(command: F, *options: Callable[[F], F]) -> F:
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


class Report(Protocol):
    """What a command has done."""

    def to_json(self) -> dict[str, Any]:
        """Return it for programs."""
        ...

    def summary(self) -> str:
        """Return it for people."""
        ...


def print_report(report: Report, as_json: bool) -> None:
    """Print what a command has done."""
    if as_json:
        print_json(report.to_json())
    else:
        from generation.text.sanitize import printable

        click.echo(printable(report.summary()))


def json_text(value: object, indent: int | None = None) -> str:
    """Return JSON in which what steers a terminal, or cannot be encoded, is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
