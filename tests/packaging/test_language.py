"""Words of natural languages, and names of laws, publishers and places, are data and no code.

A list of such words in a module (a tuple, a set, a pattern with alternatives, a text that is split)
belongs into a file of `search/language`, a name into a table beside the module. What is left is
counted by room, and only goes down: `python tests/packaging/test_language.py` prints it.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("search", "indexer", "generation", "rirag")
DATA = ("search/provisions/jurisdictions.toml", "search/provisions/act_names.toml")

FEWEST = 4
"""Words of a language that make a list."""
SHORTEST_NAME = 3

STOP_LIST = frozenset(
    """
    about after all also an and any are at be before both but by can did do does each every few for
    from had has have he her his how if in into is it its more most much must my neither no none not
    of on once one only or other our over please say says see shall she should so some such than
    that the their them then there these they this those to tell under until up us was we were what
    when where whether which while who whom whose why will with within without would you your mean
    means define give show find list der die das dem den des und oder nicht ein eine wer wie was
    welche wann ist sind wird werden le la les un une et ou qui que dans pour est sont
    """.split()  # noqa: SIM905 - a table would be longer
)
"""Words of grammar, beside those of the language files."""

FORMS = frozenset(
    {"conditions", "duties", "forces", "headings", "parties", "pointing", "sentences", "silence",
     "statements", "stemming", "stops", "tens", "values"}
)  # fmt: skip
"""Tables of forms: by their words (`text`, `number`) names of fields in other rooms would count."""

LEFT: dict[str, tuple[int, int]] = {
    "generation/extract": (1, 0),
    "generation/statements": (4, 0),
    "generation/verify": (2, 0),
    "indexer": (2, 0),
    "indexer/readers": (7, 2),
    "indexer/structuring": (7, 0),
    "rirag/reports": (1, 0),
    "search/engines": (1, 0),
    "search/provisions": (1, 0),
}
"""Room → its lists of words, and its names of laws, publishers and places, at most."""

_ALTERNATIVE = re.compile(r"(?<=[|(:])([^\W\d_]{2,})(?=[|)?\[(\\. ])")
_CODES = re.compile(r"\(\?P?<?\w*[>:]?|\\[a-zA-Z]")


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield key
            yield from _leaves(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _leaves(inside)


@cache
def words() -> frozenset[str]:
    """The words of the language files, in lower case, and those of grammar."""
    found = set(STOP_LIST)
    for file in (ROOT / "search/language").glob("??.toml"):
        tables = tomllib.loads(file.read_text("utf-8"))
        for name, one in tables.items():
            values = one.values() if isinstance(one, dict) and name not in FORMS else ()
            for leaf in _leaves(list(values)):
                found |= {w for w in re.findall(r"[^\W\d_]+", leaf.lower()) if len(w) > 1}
    return frozenset(found - {"one", "many", "short", "short_many"})


@cache
def units() -> frozenset[str]:
    """The names of units, by which the code knows them."""
    return frozenset(tomllib.loads((ROOT / "search/language/units.toml").read_text("utf-8")))


@cache
def names() -> frozenset[str]:
    """Names of publishers, laws and places."""
    found = {"ADGM", "FSRA", "DFSA", "EBA"}
    for file in DATA:
        tables = tomllib.loads((ROOT / file).read_text("utf-8"))
        if "words" in tables:
            tables = {key: value for key, value in tables.items() if key != "words"}
        found |= {w for one in tables.values() for w in _leaves(one) if len(w) > SHORTEST_NAME}
    return frozenset(one for one in found if one[0].isupper() and one.isalpha())


def _docstrings(tree: ast.AST) -> set[int]:
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _literals(tree: ast.AST) -> set[int]:
    """Members of `Literal[…]`, arguments of `Field(examples=…)` and the like are no lists."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        for inner in ast.walk(node.slice)
    }


def lists(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each list of words of a language."""
    tree = ast.parse(source)
    passed = _docstrings(tree) | _literals(tree)
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        found: list[str] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            texts = [one.value for one in node.elts if isinstance(one, ast.Constant)]
            found = [one for one in texts if isinstance(one, str)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "|" in node.value:
                found = _ALTERNATIVE.findall(_CODES.sub("(", node.value))
            elif _is_split(node.value.split()):
                found = node.value.split()
        known = {one.lower() for one in found if one.lower() in words()}
        if len(known) >= FEWEST and known - units():
            yield node.lineno, ", ".join(sorted(known))


def _is_split(found: list[str]) -> bool:
    """Return whether the words of a text are a list: none is there twice, and most are known."""
    known = sum(one in words() for one in found)
    return len(found) == len(set(found)) >= 2 * FEWEST and known >= 0.8 * len(found)


def named(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of each name of a publisher, a law or a place in a string."""
    tree = ast.parse(source)
    passed = _docstrings(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in passed
        ):
            for one in sorted(set(re.findall(r"[^\W\d_]+", node.value)) & names()):
                yield node.lineno, one


def rooms() -> dict[str, tuple[int, int]]:
    """The lists and names of each room that has any."""
    found: Counter[tuple[str, int]] = Counter()
    for room, kind, _ in findings():
        found[room, kind] += 1
    return {room: (found[room, 0], found[room, 1]) for room in sorted({r for r, _ in found})}


def findings() -> Iterator[tuple[str, int, str]]:
    """Yield room, kind and place of everything that is found."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            source, inside = file.read_text("utf-8"), file.relative_to(ROOT / package).parts
            room = "/".join((package, *inside[:-1][:1]))
            for kind, find in enumerate((lists, named)):
                for line, what in find(source):
                    yield room, kind, f"{file.relative_to(ROOT)}:{line}: {what}"


def test_no_room_gets_new_words_or_names() -> None:
    now = rooms()
    more = {
        room: [place for one, _, place in findings() if one == room]
        for room, size in now.items()
        if any(a > b for a, b in zip(size, LEFT.get(room, (0, 0)), strict=True))
    }
    assert not more, "put the words into search/language, the names into a table"


def test_what_is_left_comes_down_with_its_room() -> None:
    now = rooms()
    loose = {room: now.get(room) for room, most in LEFT.items() if now.get(room) != most}
    assert not loose, f"lower them: python {Path(__file__).relative_to(ROOT)}"


@pytest.mark.parametrize(
    "source",
    [
        "A = ('must', 'shall', 'should', 'may')",
        "A = {'January', 'February', 'march', 'april'}",
        r"A = re.compile(r'\\b(?:not|never|without|unless)\\b')",
        "A = 'what which when where who whom whose why whether'.split()",
    ],
)
def test_a_list_of_words_is_found(source: str) -> None:
    assert list(lists(source))


@pytest.mark.parametrize(
    "source",
    [
        "A = ('must', 'shall', 'x', 'y')",
        "A: Literal['must', 'shall', 'should', 'may']",
        "'''Must, shall, should and may.'''",
        "A = ('lexical', 'dense', 'votes', 'fused')",
        "A = 'name the rule by its number, or ask in words that it has'",
    ],
)
def test_other_texts_are_none(source: str) -> None:
    assert not list(lists(source))


def test_a_name_is_found_in_code_and_not_in_a_docstring() -> None:
    assert list(named("A = {'ADGM'}")) == [(1, "ADGM")]
    assert not list(named("'''As the ADGM has it.'''"))


if __name__ == "__main__":
    sys.stdout.writelines(f'    "{room}": {size},\n' for room, size in rooms().items())
    if "-v" in sys.argv:
        sys.stdout.writelines(f"{'name' if kind else 'list'} {at}\n" for _, kind, at in findings())
