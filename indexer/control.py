"""The control table of a policy: who owns it, its version, when it begins and is reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from indexer.tables import CELL_MARK, END, START

_LOOKED_AT = 25
"""Paragraphs and tables of a document among which its control table is."""
_LONGEST = 12
"""Words of a value at most."""
CODE = re.compile(r"[A-Z]{1,8}(?:[-/. ]?[A-Z]{1,8})?[-/. ]?\d{1,5}(?:[.-]\d{1,3})?[A-Z]?")
"""The code of a policy: `HR-12`, `FIN-REG-2`, `POL.IT.3`."""
_FIELDS = {
    "code": re.compile(
        r"(?:policy|procedure|document|doc)(?: (?:no|number|code|id|ref|reference))"
        r"|(?:richtlinien?|dokument(?:en)?|dok)[ .-]*(?:nr|nummer)"
        r"|(?:n[°o]|numéro|référence) (?:de la directive|de la procédure|du document)"
    ),
    "owner": re.compile(r"(?:\w+ )?owner|(?:inhaltlich )?verantwortlich(?:er?)?|responsable"),
    "version": re.compile(r"(?:document |policy )?version(?: (?:no|number))?|fassung"),
    "approved_by": re.compile(
        r"approved by|approver|approval(?: body)?"
        r"|(?:genehmigt|freigegeben) (?:von|durch)|approuvée? par"
    ),
    "approved": re.compile(
        r"date of approval|approval date|date approved|approved(?: on)?"
        r"|(?:genehmigt|freigegeben)(?: am)?|freigabedatum|approuvée? le|date d[’']approbation"
    ),
    "effective": re.compile(
        r"effective(?: (?:date|from))?|in force (?:from|since)|valid from"
        r"|gültig (?:ab|seit)|in kraft (?:ab|seit)|en vigueur (?:depuis|le|à partir du)"
    ),
    "review": re.compile(
        r"(?:next |date of (?:next )?)?review(?: date| due)?"
        r"|(?:nächste )?(?:über)?prüfung|prochaine révision"
    ),
    "updated": re.compile(
        r"last (?:updated|revised|reviewed)(?: on)?|as of|stand|letzte (?:änderung|aktualisierung)"
        r"|dernière mise à jour"
    ),
    "classification": re.compile(r"classification|klassifizierung|einstufung"),
}
"""Field of the metadata → how its name is written."""
_PARTED = re.compile(r"\s+[·|•–—]\s+(?=[^\W\d][^:·|•]{1,30}:\s)")
"""What parts a value from the next name on its line: `Version: 2 · Owner: Head of IT`."""


def control_fields(texts: Iterable[str]) -> dict[str, str]:
    """Return what the beginning of a document says of it; the first of each field counts.

    Args:
        texts: paragraphs and tables of the document; rows are lines, cells are parted by tabs.
    """
    found: dict[str, str] = {}
    for text in islice(filter(str.strip, texts), _LOOKED_AT):
        for name, value in _pairs(text):
            field = _field(name)
            if field and 0 < len(value.split()) <= _LONGEST:
                found.setdefault(field, value.strip())
    return found


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    if CELL_MARK not in text:
        for pair in _PARTED.split(text.replace("**", "")):
            name, _, value = pair.partition(":")
            yield name, value
        return
    rows = [[*map(str.strip, row.split(CELL_MARK))] for row in text.split("\n")]
    rows = [row for row in rows if any(row) and row[0] not in {START, END}]
    several = any(map(_is_several, rows))
    if len(rows) == 2 and all(map(_field, rows[0])):
        yield from zip(*rows, strict=False)
        return
    for row in rows:
        if len(row) == 2 or (several and all(map(_field, filter(None, row[::2])))):
            yield from zip(row[::2], row[1::2], strict=False)


def _is_several(row: Sequence[str]) -> bool:
    """Return whether a row is several names and values, and not the head of a table of versions."""
    return all(map(_field, filter(None, row[::2]))) and any(map(str.isdigit, "".join(row[1::2])))


def _field(name: str) -> str:
    key = " ".join(name.casefold().strip(" .:").split())
    return next((field for field, names in _FIELDS.items() if names.fullmatch(key)), "")
