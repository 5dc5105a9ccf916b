"""The options of `rirag/cli/options.toml`, as click has them."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from rirag.cli import options as module
from rirag.cli.options import OPTIONS, options
from rirag.server.options import ServeOptions
from rirag.settings import Settings

WORKBENCH = Path(__file__).resolve().parents[3] / "workbench" / "rirag_workbench" / "cli"

TABLE: dict[str, dict[str, Any]] = {
    "index": {"--index URL": "Folder."},
    "made": {
        "index": {},
        "--pages N": {"min": 1, "default": 3, "help": "Number of pages.  [default: {default}]"},
        "--share X": {"min": 0, "min_open": True, "help": "Share."},
        "-f,--form": {"choices": ["md", "html"], "help": "Form."},
        "--output FILE": {"name": "file", "required": True, "help": "File."},
        "--note FILE": {"type": "text", "help": "Name of a file."},
        "--quiet": "Print nothing.",
        "--colour/--no-colour": {"default": True, "help": "Print colours."},
        "--draft": {"unset": True, "help": "Write a draft."},
        "judge": {"default": "none"},
    },
    "judge": {"--judge NAME": "Judge.  [default: {default}]"},
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> click.Command:
    monkeypatch.setattr(module, "_table", lambda _: TABLE)
    return click.command()(options("made")(lambda **given: click.echo(sorted(given.items()))))


def test_options_stand_in_the_order_of_their_section(made: click.Command) -> None:
    with click.Context(made) as context:
        records = [one.get_help_record(context) for one in made.params]
    assert records == [
        ("--index URL", "Folder."),
        ("--pages N", "Number of pages.  [default: 3]  [x>=1]"),
        ("--share X", "Share.  [x>0]"),
        ("-f, --form [md|html]", "Form."),
        ("--output FILE", "File.  [required]"),
        ("--note FILE", "Name of a file."),
        ("--quiet", "Print nothing."),
        ("--colour / --no-colour", "Print colours."),
        ("--draft", "Write a draft."),
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
        ([], "draft", None),
        (["-f", "md"], "form", "md"),
        (["--output", "b"], "file", Path("b")),
    ],
)
def test_values_have_the_type_of_their_metavar(
    made: click.Command, written: list[str], name: str, value: object
) -> None:
    given = made.make_context("made", ["--output", "a", *written]).params
    assert (given[name], type(given[name])) == (value, type(value))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (["--pages", "0"], "0 is not in the range x>=1"),
        (["--share", "0"], "0.0 is not in the range x>0"),
        (["--share", "nan"], "'nan' is not a number"),
        (["--form", "pdf"], "'pdf' is not one of 'md', 'html'"),
    ],
)
def test_a_value_out_of_range_is_refused(
    made: click.Command, written: list[str], said: str
) -> None:
    with pytest.raises(click.BadParameter, match=re.escape(said)):
        made.make_context("made", ["--output", "a", *written])


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
    assert len(shown) == 11


def vars_of(record: Any) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}


@pytest.mark.parametrize("folder", [OPTIONS.parent, WORKBENCH])
def test_every_section_is_in_use(folder: Path) -> None:
    own = tomllib.loads((folder / "options.toml").read_text("utf-8"))
    used = {name for section in own.values() for name in section if not name.startswith("-")}
    for file in folder.rglob("*.py"):
        used |= {
            node.args[0].value
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "options"
            and isinstance(node.args[0], ast.Constant)
        }
    shared = set() if folder == OPTIONS.parent else set(module._table(OPTIONS))
    assert used - shared == set(own)
