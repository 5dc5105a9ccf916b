"""The options of `rirag/cli/options.toml`, as click has them."""

from __future__ import annotations

import ast
import dataclasses
import re
from pathlib import Path
from typing import Any

import click
import pytest

import rirag.cli
from rirag.cli import options as module
from rirag.cli.options import OPTIONS, options
from rirag.server.options import ServeOptions
from rirag.settings import Settings

TABLE: dict[str, dict[str, Any]] = {
    "index": {"--index URL": "Folder."},
    "made": {
        "index": {},
        "--pages N": {"min": 1, "default": 3, "help": "Number of pages.  [default: {default}]"},
        "--share X": "Share.",
        "--output FILE": {"name": "file", "required": True, "help": "File."},
        "--note FILE": {"type": "text", "help": "Name of a file."},
        "--quiet": "Print nothing.",
        "--colour/--no-colour": {"default": True, "help": "Print colours."},
        "judge": {"default": "none"},
    },
    "judge": {"--judge NAME": "Judge.  [default: {default}]"},
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> click.Command:
    monkeypatch.setattr(module, "_table", lambda: TABLE)
    return click.command()(options("made")(lambda **given: click.echo(sorted(given.items()))))


def test_options_stand_in_the_order_of_their_section(made: click.Command) -> None:
    with click.Context(made) as context:
        records = [one.get_help_record(context) for one in made.params]
    assert records == [
        ("--index URL", "Folder."),
        ("--pages N", "Number of pages.  [default: 3]  [x>=1]"),
        ("--share X", "Share."),
        ("--output FILE", "File.  [required]"),
        ("--note FILE", "Name of a file."),
        ("--quiet", "Print nothing."),
        ("--colour / --no-colour", "Print colours."),
        ("--judge NAME", "Judge.  [default: none]"),
    ]


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ([], "pages", 3),
        (["--pages", "2"], "pages", 2),
        (["--share", "0.5"], "share", 0.5),
        (["--note", "a/b"], "note", "a/b"),
        ([], "quiet", False),
        (["--quiet"], "quiet", True),
        (["--no-colour"], "colour", False),
        (["--output", "b"], "file", Path("b")),
    ],
)
def test_values_have_the_type_of_their_metavar(
    made: click.Command, written: list[str], name: str, value: object
) -> None:
    given = made.make_context("made", ["--output", "a", *written]).params
    assert (given[name], type(given[name])) == (value, type(value))


def test_a_number_out_of_range_is_refused(made: click.Command) -> None:
    with pytest.raises(click.BadParameter, match="0 is not in the range x>=1"):
        made.make_context("made", ["--output", "a", "--pages", "0"])


def test_a_default_in_a_help_is_that_of_the_settings_or_of_the_server() -> None:
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    defaults |= vars_of(ServeOptions())
    shown = {}
    for section in ("search", "ask", "serve"):
        for option in click.command()(options(section)(lambda: None)).params:
            found = re.search(r"\[default: ([^ \]]+)\]", getattr(option, "help", ""))
            if (
                found
                and not isinstance(option.default, (int, float, str))
                and defaults.get(option.name or "") is not None
            ):
                shown[option.name] = found[1]
    assert shown == {name: str(defaults[name or ""]) for name in shown}
    assert len(shown) == 9


def vars_of(record: Any) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}


def test_every_section_is_in_use() -> None:
    sections = module._table()
    used = {name for section in sections.values() for name in section if not name.startswith("-")}
    for file in Path(rirag.cli.__file__).parent.glob("*.py"):
        used |= {
            node.args[0].value
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "options"
            and isinstance(node.args[0], ast.Constant)
        }
    assert used == set(sections), OPTIONS
