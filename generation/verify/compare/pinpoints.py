"""The numbers that point at a passage or into it, with its items or without the part before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generation.text.statements.clauses import Statement
from generation.text.statements.markers import find_marker
from search.records import Passage

_DIVISION = re.compile(r"^[^\W\d_]+\.?\s+\d+\.(?=\d)")
"""`PART 5.` of `PART 5.12.3.3.(1)`."""
_SUFFIX = re.compile(r"[.\s]*(\(\w{1,6}\))")


def pinpoints(passage: Passage, statements: Iterable[Statement]) -> frozenset[str]:
    """Return the numbers, folded as words are: `17.8.4`, `17.8.4(a)`, `17.8.4(a)(ii)`."""
    number = _folded(passage.passage_id)
    bases = {number, _folded(_DIVISION.sub("", passage.passage_id.strip()))} - {""}
    items = set(_items(statements))
    return frozenset(bases | {f"{base}{item}" for base in bases for item in items})


def _folded(number: str) -> str:
    """Return the number as words have it, without the word before it: `26(6)`."""
    found = re.search(r"\d.*", _SUFFIX.sub(r"\1", number.strip()).lower())
    return found[0].rstrip(". ") if found else ""


def _items(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield the markers of the items of a passage, each behind those that enclose it."""
    for statement in statements:
        paths: list[str] = []
        for piece in statement.pieces:
            marker = find_marker(piece.text)
            before = paths[piece.parent] if piece.parent is not None else ""
            own = f"({marker.value.lower()})" if marker and marker.value else ""
            paths.append(before + own)
            if own:
                yield before + own
