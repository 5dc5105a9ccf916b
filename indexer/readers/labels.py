"""What names a passage or a document: one line of visible text."""

from __future__ import annotations

import re

from search.records import PART

RESERVED = frozenset({"document", "document_id", "id", "number", "parent", PART, "passage_id"})
"""Names by which passages are filtered, looked up and told apart; no further field may be called
so."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


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
