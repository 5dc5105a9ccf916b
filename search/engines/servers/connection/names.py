"""What an index is called on a server: its own name, and those of all that belongs to it.

NAME                                alias: the passages that are searched
NAME-documents                      alias: their whole documents
NAME-STAMP, NAME-documents-STAMP    what the aliases name: the two indices of a generation
NAME-load, NAME-load-1              alias and index of a load that is under way
NAME-questions                      the answered questions: an index with all of these names
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

BESIDE = "-questions"
"""How an index beside another one ends."""

_STAMP = "%Y%m%dt%H%M%S%fz"
_STAMP_PATTERN = r"\d{8}t\d{12}z"
_PART = re.compile(rf"(.+)-(documents|load|load-1|{_STAMP_PATTERN})")


def new_generation() -> str:
    """Return the time stamp of a new generation; later ones sort after earlier ones."""
    return datetime.now(UTC).strftime(_STAMP)


def is_generation(text: str) -> bool:
    """Return whether a text is the time stamp of a generation."""
    return re.fullmatch(_STAMP_PATTERN, text) is not None


def passage_index(name: str, generation: str) -> str:
    """Return the name of a generation's passage index."""
    return f"{name}-{generation}"


def document_index(name: str, generation: str) -> str:
    """Return the name of a generation's index of whole documents."""
    return f"{document_alias(name)}-{generation}"


def document_alias(name: str) -> str:
    """Return the alias of the whole documents."""
    return f"{name}-documents"


def load_alias(name: str) -> str:
    """Return the alias of what the processes of a load tell each other."""
    return f"{name}-load"


def load_index(name: str) -> str:
    """Return the index behind `load_alias`."""
    return f"{load_alias(name)}-1"


def part_of(name: str) -> tuple[str, str] | None:
    """Return the index that something of this name is a part of, and the ending that says so.

    None: no index has such a part, so that one may be called so itself.
    """
    found = _PART.fullmatch(name)
    return (found[1], f"-{found[2]}") if found else None
