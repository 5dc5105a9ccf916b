"""The control table of a policy: who owns it, its version, when it begins and is reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from indexer.pages.line import Line
from indexer.tables import CELL_MARK

_LOOKED_AT = 25
"""Lines of a document among which its control table is."""
_LONGEST = 12
"""Words of a value at most."""
_FIELDS = {
    "owner": re.compile(r"(?:(?:document|policy|procedure|process) )?owner"),
    "version": re.compile(r"(?:document |policy )?version(?: (?:no|number))?"),
    "approved_by": re.compile(r"approved by|approver|approval(?: body)?"),
    "approved": re.compile(r"(?:date of approval|approval date|approved(?: on)?)"),
    "effective": re.compile(r"effective(?: (?:date|from))?|in force (?:from|since)|valid from"),
    "review": re.compile(r"(?:next |date of (?:next )?)?review(?: date| due)?"),
    "classification": re.compile(r"classification"),
}
"""Field of the metadata → how its name is written."""


def control_fields(lines: Sequence[Line], end: int) -> dict[str, str]:
    """Return what the beginning of a document says of it; the first of each field counts.

    Args:
        lines: of the document.
        end: place of the first unit.
    """
    found: dict[str, str] = {}
    for name, value in _pairs(lines[: min(end, _LOOKED_AT)]):
        key = " ".join(name.casefold().strip(" .:").split())
        field = next((field for field, names in _FIELDS.items() if names.fullmatch(key)), "")
        if field and 0 < len(value.split()) <= _LONGEST:
            found.setdefault(field, value)
    return found


def _pairs(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield names and values: rows of two cells, and lines such as `Owner: Head of IT`."""
    for line in lines:
        if isinstance(line.block, str):
            for row in line.block.split("\n"):
                name, mark, value = row.partition(CELL_MARK)
                if mark and CELL_MARK not in value:
                    yield name, value.strip()
        elif not line.rank and ":" in line.text:
            name, _, value = line.text.partition(":")
            yield name, value.strip()
