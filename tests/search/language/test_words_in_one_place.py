"""No file but the vocabulary spells the words for articles, sections and the like."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from search.language import vocabulary

ROOT = Path(__file__).resolve().parents[3]
FORMATS = "indexer/readers/"
"""Readers name the elements and fields of their formats, which are of no language."""

UNITS = (vocabulary.units_of("attachment", "division", "rule") - {"title"}) | {
    "subsection", "paragraph", "subparagraph", "clause",
}  # fmt: skip
"""Without titles, points, items and sentences, of which other texts speak too."""

GRAMMAR = ("search/provisions/", "indexer/")
"""Where numbers of provisions are read: in texts, and by readers as labels of the own document."""

PASSED_OVER = {
    "generation/text/sentences.py": "an ordinal, such as `vom 1. März`, ends no sentence",
    "generation/statements/words.py": "days of months",
    "search/text/days.py": "days of months",
    "generation/statements/values.py": "numbers of references are no values",
    "search/articles/references.py": "what may be between an article and its act",
    "rirag/server/duties.py": "amounts of money, with words such as million",
}
"""Files that look for a word with a number, and do not read which provision it is."""

ORDINARY = {"generation/extract/asked.py": "asks for a share: `what part`"}
"""Files with a pattern in which such a word is an ordinary one."""

WORDS = set(vocabulary.spellings(UNITS)) - {
    kind.lower() for language in vocabulary.languages().values() for kind in language.acts
}
"""Without those that name laws as well: `Regulation (EU) No 575/2013`."""
_WORD = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(re.escape(one) for one in WORDS if len(one) > 3)})(?![^\W\d_])",
    re.IGNORECASE,
)
_CODES = re.compile(r"\(\?P<\w+>|\\[bBdDsSwWZ]")
_DIGIT = re.compile(r"\\d|0-9")
_EITHER = re.compile(r"\[([A-Z])[a-z]\](?=[a-z])")
"""`[Rr]ules`."""
_PATTERN = re.compile(r"\\[sbdwW]|\(\?|\[\^|\)[?*+]|\]\*|\w\?\||[A-Z]\|[A-Z]")
"""What a regular expression has, and no text."""


def spelled(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each pattern, and of each table, that spells words for units."""
    source = _EITHER.sub(r"\1", source)
    if WORDS.isdisjoint(re.findall(r"[^\W\d_]+", source.lower())):
        return
    nodes = list(ast.walk(ast.parse(source)))
    passed = {id(one) for one in _passed(nodes)}
    for node in nodes:
        if id(node) in passed:
            continue
        match node:
            case ast.Constant(value=str(text)) if _PATTERN.search(text):
                if _WORD.search(_CODES.sub(" ", text)):
                    yield node.lineno, text
            case ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found):
                words = _words(found)
                if len(words) > 2 and (words - vocabulary.units().keys() or _is_order(node)):
                    yield node.lineno, ", ".join(words)
            case ast.Dict(keys=found) if len(words := _words(found)) > 2:
                yield node.lineno, ", ".join(words)


def numbered(source: str) -> Iterator[int]:
    """Yield the line of each pattern that has a word of the vocabulary before a number."""
    if "vocabulary" not in source:
        return
    tree = ast.parse(source)
    from_vocabulary = {"vocabulary"}
    for node in tree.body:
        if isinstance(node, ast.Assign) and from_vocabulary & _names(node.value):
            from_vocabulary |= {name for target in node.targets for name in _names(target)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        words = False
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                words = words or bool(from_vocabulary & _names(part.value))
            elif words and _DIGIT.search(str(getattr(part, "value", ""))):
                yield node.lineno
                break


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _passed(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Yield docstrings, members of `Literal`, and names of units that the vocabulary is given."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield text
            case ast.Subscript(value=ast.Name(id="Literal"), slice=names):
                yield names
            case ast.Call(func=ast.Attribute(value=ast.Name(id="vocabulary")), args=[names, *_]):
                yield names


def _words(elements: list[ast.expr | None] | list[ast.expr]) -> set[str]:
    texts = (one.value for one in elements if isinstance(one, ast.Constant))
    return {text for text in texts if isinstance(text, str) and text.lower() in WORDS}


def _is_order(table: ast.expr) -> bool:
    """Return whether a table may say which unit holds which; a set of units has no order."""
    return not isinstance(table, ast.Set) and len(getattr(table, "elts", ())) > 3


def test_words_for_units_are_spelled_in_the_vocabulary_alone() -> None:
    found = [
        f"{name}:{line}: {words}"
        for package in ("indexer", "search", "generation", "rirag")
        for path in sorted((ROOT / package).rglob("*.py"))
        if not (name := path.relative_to(ROOT).as_posix()).startswith(FORMATS)
        and name not in ORDINARY
        for line, words in spelled(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_numbers_of_provisions_are_read_by_the_grammar_alone() -> None:
    found = {
        name
        for package in ("indexer", "search", "generation", "rirag")
        for path in sorted((ROOT / package).rglob("*.py"))
        if not (name := path.relative_to(ROOT).as_posix()).startswith(GRAMMAR)
        and any(numbered(path.read_text(encoding="utf-8")))
    }
    assert found == set(PASSED_OVER)


@pytest.mark.parametrize(
    ("source", "is_parser"),
    [
        (r"A = re.compile(rf'{vocabulary.pattern(UNITS)}\s(\d+)')", True),
        (r"U = vocabulary.pattern(UNITS)" "\n" r"A = re.compile(rf'(?:{U}) [0-9]+')", True),
        (r"U = vocabulary.pattern(UNITS)" "\n" r"A = re.compile(rf'this (?:{U})')", False),
        (r"A = re.compile(rf'{NUMBER}\d')" "\n" r"B = vocabulary.units()", False),
    ],
)
def test_a_pattern_of_a_unit_and_a_number_is_a_parser(source: str, is_parser: bool) -> None:
    assert any(numbered(source)) is is_parser


@pytest.mark.parametrize(
    "source",
    [
        r"re.compile(r'\b(?:sections?|articles?)\s\d')",
        r"re.compile(r'\b[Aa]rticles?\s\d')",
        r"re.compile(rf'{A}(?:Artikel|Absatz)\s{B}')",
        "WORDS = {'article', 'section', 'paras'}",
        "ORDER = ('schedule', 'part', 'chapter', 'section')",
        "RANKS = {'part': 1, 'book': 2, 'chapter': 3}",
    ],
)
def test_patterns_tables_and_orders_of_such_words_are_found(source: str) -> None:
    assert list(spelled(source))


@pytest.mark.parametrize(
    "source",
    [
        "'Name at least one article, section or paragraph.'",
        "RULES = {'article', 'section', 'rule'}",
        r"re.compile(rf'{vocabulary.pattern(UNITS)}\s\d+')",
    ],
)
def test_texts_and_names_of_units_are_not(source: str) -> None:
    assert not list(spelled(source))
