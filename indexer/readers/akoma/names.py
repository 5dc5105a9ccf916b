"""How the rules of Akoma Ntoso are numbered."""

from __future__ import annotations

import re

UNITS = {"article": "Article", "section": "Section", "rule": "Rule", "regulation": "Regulation"}
"""Elements that are the rules of an act → how their number is written."""

_UNIT_WORD = re.compile(
    r"^(?:art(?:icle|\.)?|s(?:ection|ec\.|\.)?|§+|r(?:ule|eg(?:ulation)?\.?)?)\s*(?=\d|[ivxlc]+$)",
    re.IGNORECASE,
)


def unit_number(name: str, label: str) -> str:
    """Return the number of a rule as people cite it: `Section 5`, `Article 12a`, `3.5.8`.

    Args:
        name: the element's name.
        label: what its `num` says: `5.`, `Section 5`, `§ 5`.
    """
    bare = label.strip().strip("[]").rstrip(" .:—–-").strip()
    if not bare:
        return ""
    word = UNITS.get(name, "")
    number = _UNIT_WORD.sub("", bare)
    return f"{word} {number}" if word and number[:1].isalnum() and "." not in number else number
