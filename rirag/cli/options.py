"""Add the options of `options.toml` to the commands, and turn them into settings."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rirag.refusals import unusable
from search.errors import InputError

if TYPE_CHECKING:
    from rirag.settings import Settings

_STEERING = re.compile(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)

OPTIONS = Path(__file__).with_name("options.toml")

TYPES: dict[str, Any] = {
    "N": click.INT, "X": click.FLOAT, "SHARE": click.FLOAT, "text": click.STRING,
    **dict.fromkeys(("FILE", "FOLDER", "DIR", "GOLD"), FILE),
}  # fmt: skip
"""Metavar, or `type` of an option → the type of its values."""


class NumberRange(click.FloatRange):
    """A number between bounds; `nan`, which is on no side of any bound, is refused too."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def options(section: str, file: Path = OPTIONS) -> Callable[[F], F]:
    """Return a decorator that adds the options of a section, in the order of their help.

    Args:
        section: of a file of options.
        file: which has its own sections and those of `options.toml`.
    """
    return lambda command: _with(command, list(_options(_table(file), section, {})))


def _with(command: F, added: Sequence[Callable[[F], F]]) -> F:
    for option in reversed(added):
        command = option(command)
    return command


Table = Mapping[str, Mapping[str, Any]]


def _options(table: Table, section: str, filled: Table) -> Iterator[Callable[[Any], Any]]:
    for declared, given in table[section].items():
        if declared.startswith("-"):
            yield _option(declared, {"help": given} if isinstance(given, str) else given, filled)
        else:
            yield from _options(table, declared, given)


def _option(
    declared: str, given: Mapping[str, Any], filled: Mapping[str, Any]
) -> Callable[[Any], Any]:
    flags, _, metavar = declared.partition(" ")
    how = {"metavar": metavar or None, **given}
    bounds = {name: how.pop(name) for name in ("min", "max", "min_open") if name in how}
    kind, name, choices = how.pop("type", metavar), how.pop("name", None), how.pop("choices", None)
    if bounds:
        is_whole = TYPES.get(kind) is click.INT
        how["type"] = click.IntRange(**bounds) if is_whole else NumberRange(**bounds)
    elif choices:
        how["type"] = click.Choice(choices)
    elif kind in TYPES:
        how["type"] = TYPES[kind]
    elif not (metavar or "/" in flags or "flag_value" in how):
        how["is_flag"] = True
    if how.pop("unset", False):
        how["default"] = None
    how["help"] = how["help"].replace("{default}", str({**given, **filled}.get("default")))
    return click.option(*flags.split(","), *([name] if name else ()), **how)


@cache
def _table(file: Path) -> Table:
    own = tomllib.loads(file.read_text("utf-8"))
    return own if file == OPTIONS else {**_table(OPTIONS), **own}


def takes_reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the section `reading` as one: how sources are read."""

    @wraps(command)
    def with_reading(
        format_: str,
        granularity: Any,
        footnotes: bool,
        titles: Path | None,
        mapped: tuple[str, ...],
        verbose: bool,
        **others: Any,
    ) -> None:
        from indexer.readers.json.fields import parse_fields
        from rirag.service.loading import Reading

        if verbose:
            logging.basicConfig(format="rirag: %(message)s")
            logging.getLogger("indexer").setLevel(logging.INFO)
        fields = parse_fields(mapped)
        command(reading=Reading(format_, titles, granularity, footnotes, fields), **others)

    return with_reading


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
    names = ("index", "profile", "reranker", "encoder", "tuning", *more)
    flags = {name: options[name] for name in names}
    switches = {
        "rerank": options["no_rerank"],
        "answered_questions": options["no_answered_questions"],
        "search_help": options.get("no_search_help"),
    }
    off = {name: False for name, given in switches.items() if given}
    return make_settings(**flags, **off, **flags_given)


def parse_filters(filters: Iterable[str]) -> dict[str, list[str]]:
    """Read `FIELD=VALUE` options."""
    fields: dict[str, list[str]] = {}
    for condition in filters:
        field, equals, value = condition.partition("=")
        if not (field and equals and value):
            raise unusable("filter.invalid", condition=condition)
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
    """Read an option of three numbers, none below 0 and one above."""
    try:
        found = [float(one) for one in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3 or min(found) < 0 or not sum(found) > 0:
        raise unusable("option.invalid/numbers", flag=flag, text=text, example=example)
    return found


def refuse_per_question(per_question: bool, as_json: bool) -> None:
    """Refuse `--per-question` without `--json`."""
    if per_question and not as_json:
        raise unusable("option.invalid/per-question")


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
