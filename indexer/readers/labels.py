"""What names a passage or a document: one line of visible text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from search.records import PART

RESERVED = frozenset({"document", "document_id", "id", "number", "parent", PART, "passage_id"})
"""Names by which passages are filtered, looked up and told apart; no further field may be called
so."""

MOST_NESTED = 3
"""Levels of fields below a field that are read."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def flat(fields: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield fields with those that are nested in them: `to` below `valid` is `valid_to`."""
    for name, value in fields.items():
        if isinstance(value, dict) and depth < MOST_NESTED:
            yield from ((f"{name}_{own}", one) for own, one in flat(value, depth + 1))
        else:
            yield name, value


def control_fault(name: str, label: str) -> str:
    """Return which control character an ID or number holds, or "".

    Args:
        name: what the label is called, such as `PassageID`.
        label: the text that was given.
    """
    if found := _CONTROL.search(label):
        return f"{name} contains a control character ({found.group()!a}); remove it"
    return ""


def reserved_fault(name: str) -> str:
    """Return what is wrong with the name of a further field, or ""."""
    if name in RESERVED:
        return f"the field name {name!r} is reserved by rirag; rename the field"
    return ""
