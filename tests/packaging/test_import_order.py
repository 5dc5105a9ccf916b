"""Imports go one way: from the engine room up to the command line, and never in a circle.

The graph is complete: what is imported when a module loads, in a function, and for types alone.
`pytest -s` prints its folders.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("search", "indexer", "generation", "rirag")
WORKBENCH = "rirag_workbench"
HOMES = {**dict.fromkeys(PACKAGES, ROOT), WORKBENCH: ROOT / "workbench"}
"""Package → the folder in which it is."""

MAY_IMPORT = {
    "search": set[str](),
    "indexer": {"search"},
    "generation": {"search"},
    "rirag": {"search", "indexer", "generation"},
    WORKBENCH: {*PACKAGES},
}
"""Package → the others that it may know."""

MOST_MODULES = 17
"""In one folder, beside those in the folders below it."""

Graph = Mapping[str, set[str]]


@cache
def files() -> dict[str, Path]:
    """Module → its file, of all packages."""
    return {
        module_of(file, home): file
        for package, home in HOMES.items()
        for file in (home / package).rglob("*.py")
    }


def module_of(file: Path, home: Path) -> str:
    """The dotted name of a file."""
    return ".".join(file.relative_to(home).with_suffix("").parts).removesuffix(".__init__")


@cache
def folders() -> set[str]:
    """Packages, at any depth."""
    return {module for module, file in files().items() if file.name == "__init__.py"}


def named(tree: ast.AST) -> Iterator[str]:
    """Whatever a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


@cache
def around(module: str) -> set[str]:
    """A module, if it is one of ours, and the packages around it."""
    parts = module.split(".")
    names = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return names & files().keys()


@cache
def imports() -> Graph:
    """Module → the modules that it imports, and the packages that are loaded with them."""
    return {
        module: {one for name in named(ast.parse(file.read_text("utf-8")))
                 for one in around(name) - around(module)}
        for module, file in files().items()
    }  # fmt: skip


@cache
def room_of(module: str) -> str:
    """The folder of a module; where folders lie beside it, the module stands for itself."""
    folder = module if module in folders() else module.rpartition(".")[0]
    has_folders = any(one.startswith(f"{folder}.") for one in folders())
    return module if has_folders else folder


def between_rooms() -> dict[str, dict[str, str]]:
    """Room → the rooms it imports, each with one import as an example."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for module, wanted in imports().items():
        for one in sorted(wanted):
            if room_of(one) != room_of(module):
                found[room_of(module)].setdefault(room_of(one), f"{module} imports {one}")
    return found


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """One circle of a graph; empty without any."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_graph_is_complete() -> None:
    assert "search.index" in imports()["search"]
    assert "generation.verify.steps" in imports()["generation.answering"]
    assert "generation.verify.steps" in imports()["rirag.service.verifying"]  # in a function
    assert "rirag.settings" in imports()["rirag.service.service"]  # for types alone


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circle(imports())


def test_packages_know_only_those_below_them() -> None:
    for module, wanted in imports().items():
        package = module.partition(".")[0]
        others = {one.partition(".")[0] for one in wanted} - {package}
        assert others <= MAY_IMPORT[package], (module, wanted)


def test_no_two_folders_import_each_other() -> None:
    rooms = between_rooms()
    for room in sorted(rooms):
        sys.stdout.write(f"{room} → {', '.join(sorted(rooms[room]))}\n")
    both = [
        f"{rooms[one][other]}, {rooms[other][one]}"
        for one in sorted(rooms)
        for other in sorted(rooms[one])
        if one < other and one in rooms.get(other, {})
    ]
    assert not both, "\n".join(["", *both])


def test_no_folder_has_more_modules_than_one_looks_through() -> None:
    for folder in folders():
        modules = [one for one in files() if one.rpartition(".")[0] == folder]
        assert len(set(modules) - folders()) <= MOST_MODULES, folder


def test_each_folder_says_what_it_is_for_and_what_it_must_not_know() -> None:
    for folder in folders():
        text = ast.get_docstring(ast.parse(files()[folder].read_text("utf-8"))) or ""
        sentences = [one for one in re.split(r"[.?]\s", text + " ") if one.strip()]
        assert len(sentences) >= 2, folder
