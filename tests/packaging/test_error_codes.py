"""Every error has a code of the list, and every code of the list is in use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from generation.llm.tables import SERVERS
from rirag.refusals import sentences
from rirag.server.problems import refusals
from rirag_workbench.refusals import TABLE
from search import errors
from search.engines.servers.connection.faults import table

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("search", "indexer", "generation", "rirag", "workbench/rirag_workbench")
GENERAL = ("input.invalid", "error.other")
"""Codes of classes whose every error has a code of its own."""


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """All nodes of the product files."""
    return [
        (file, node)
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]


def calls_of(names: set[str]) -> Iterator[tuple[Path, ast.Call]]:
    """The calls of classes, each with its file."""
    for file, node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield file, node


def test_codes_are_words_in_a_namespace() -> None:
    for code, one in refusals().items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*", code), code
        assert one.meaning.endswith("."), code
        assert 400 <= one.status < 600, code
    assert list(refusals()) == sorted(refusals())


def test_every_refused_input_says_of_which_kind_it_is() -> None:
    lacking = [
        f"{file.relative_to(ROOT)}:{call.lineno}"
        for file, call in calls_of({"InputError"})
        if not any(one.arg == "code" for one in call.keywords)
    ]
    assert not lacking


def test_codes_that_are_given_are_in_the_list_and_the_others_are_not() -> None:
    texts = {
        node.value
        for _, node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    given = {
        keyword.value.value
        for _, call in calls_of({kind for kind in vars(errors) if kind.endswith("Error")})
        for keyword in call.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant)
    }
    rows = (*table()["fault"], *SERVERS["refusal"], *SERVERS["failure"].values())
    given |= {row["code"] for row in rows if "code" in row}
    given |= {
        call.args[0].value
        for _, call in calls_of({"Problem"})
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    given |= {name.partition("/")[0] for name in (*sentences(), *sentences(TABLE))}
    assert given <= set(refusals())
    assert set(refusals()) <= texts | given


def test_every_sentence_of_a_refusal_is_said() -> None:
    said = {
        node.value
        for file, node in nodes()
        if {"rirag", "rirag_workbench"} & set(file.parts)
        and isinstance(node, ast.Constant)
        and isinstance(node.value, str)
    }
    for one in (sentences(), sentences(TABLE)):
        assert set(one) <= said
        assert list(one) == sorted(one)


def test_every_class_of_errors_has_a_code_of_the_list() -> None:
    kinds = [one for one in vars(errors).values() if isinstance(one, type)]
    coded = {one.code for one in kinds if issubclass(one, errors.RiragError)}
    assert set(GENERAL) <= coded <= set(refusals())
