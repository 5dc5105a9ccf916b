"""Any module can be the first that a program imports: no two of them wait for one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("search", "indexer", "generation", "rirag")


def with_packages(name: str) -> set[str]:
    """A module and the packages around it, which are loaded before it."""
    parts = name.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts) + 1)}


def imported(tree: ast.AST) -> Iterator[str]:
    """What is imported while a module loads: not in a function, and not for type checkers."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imported(ast.Module(node.orelse, []))
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imported(node)


def test_no_module_waits_for_one_that_waits_for_it() -> None:
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
    }
    loads = {
        module: {one for name in imported(ast.parse(file.read_text("utf-8")))
                 for one in (with_packages(name) - with_packages(module)) & set(files)}
        for module, file in files.items()
    }  # fmt: skip
    assert "generation.verify.steps" in loads["generation.job"]
    try:
        TopologicalSorter(loads).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))
