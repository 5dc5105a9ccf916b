"""What the pages name exists; that what they show is current, `scripts/docs --check` checks."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from pages import LOGS, PAGES, ROOT

from rirag.cli import rirag
from rirag.settings import SECRETS, Settings

FENCED = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)")
PATH = re.compile(
    r"(?<![\w/.])((?:indexer|search|generation|rirag|benchmarks|examples|scripts|tests|docs)/"
    r"[\w./-]*\w)"
)


def commands(command: click.Command, name: str) -> list[str]:
    """Return the name of a command and of all below it."""
    if not isinstance(command, click.Group):
        return [name]
    context = click.Context(command)
    found = [name]
    for below in command.list_commands(context):
        part = command.get_command(context, below)
        assert part is not None
        found += commands(part, f"{name} {below}")
    return found


@pytest.mark.parametrize("name", commands(rirag, "rirag"))
def test_every_command_has_its_help_on_a_page_of_commands(name: str) -> None:
    pages = [(ROOT / "docs" / page).read_text("utf-8") for page in ("cli.md", "cli-evaluation.md")]

    assert sum(page.count(f"<!-- help: {name} -->") for page in pages) == 1


def test_every_setting_is_on_the_page_of_settings() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    by_rule = {name: f"RIRAG_{name.upper()}" for name in Settings.model_fields}
    others = [v for name, names in SECRETS.items() for v in names if v != by_rule[name]]

    assert [one for one in (*by_rule, *others) if f"`{one}`" not in page] == []


def test_every_public_name_says_what_it_is() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| `[\w.]+` \|\s*\|$", page, re.MULTILINE) == []


@pytest.mark.parametrize("page", [*PAGES, *LOGS], ids=lambda page: page.name)
def test_links_lead_somewhere(page) -> None:
    for file, heading in LINK.findall(written(page)):
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} links to {file}"
        if heading:
            assert heading in anchors(target.read_text(encoding="utf-8")), f"{file}#{heading}"


def written(page: Path) -> str:
    """Return a page without its commands and outputs."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"<!--.*?-->", "", text)


def anchors(text: str) -> set[str]:
    """Return the anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page) -> None:
    missing = [
        path
        for path in sorted(set(PATH.findall(written(page))))
        if not ((ROOT / path).exists() or (ROOT / f"{path}.py").exists())
    ]

    assert missing == []


def test_the_page_of_the_architecture_tells_the_truth_about_imports() -> None:
    allowed = {
        "search": {"search"},
        "indexer": {"indexer", "search"},
        "generation": {"generation", "search"},
    }
    imports = re.compile(r"^\s*(?:from|import) (search|indexer|generation|rirag)\b", re.MULTILINE)
    for room, others in allowed.items():
        for file in (ROOT / room).rglob("*.py"):
            found = set(imports.findall(file.read_text(encoding="utf-8")))
            assert found <= others, f"{file.relative_to(ROOT)} imports {found - others}"
