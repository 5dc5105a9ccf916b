"""What models call documents, and which of them the name of a part mentions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from search.provisions.act_numbers import SHORT_NAMES, act_number, act_numbers
from search.provisions.documents.names import DocumentNames
from search.provisions.documents.titles import document_code
from search.records import DocumentSummary

_CAPITALS = re.compile(r"\b[A-Z]{2,}[A-Za-z]*\b")
_LAST_CODE = re.compile(r"\(([A-Z][A-Z0-9&-]{1,11})\)\s*$")


class NamedDocuments:
    """The documents of a question, found by their names in the names of parts."""

    def __init__(self, documents: Sequence[DocumentSummary], names: Mapping[str, str]) -> None:
        self._known = DocumentNames(documents)
        self._names = names
        self._aliases = {key: _aliases(name) for key, name in names.items()}

    def called(self, name: str) -> tuple[str, ...]:
        """Return the documents that a whole name means; none for an unknown one."""
        called = tuple(key for key in self._known.called(name) if key in self._names)
        return called or tuple(ids[0] for _, _, ids in self.mentions(name))

    def mentions(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return (start, end, documents) of each document that a text names, in its order."""
        found = [
            (one.start, one.end, tuple(key for key in one.document_ids if key in self._names))
            for one in self._known.mentions(text)
        ]
        for key, aliases in self._aliases.items():
            for match in aliases.finditer(text) if aliases else ():
                start, end = match.span()
                if all(end <= a or start >= b for a, b, _ in found):
                    found.append((start, end, (key,)))
        return sorted(one for one in found if one[2])

    def foreign(self, text: str) -> str:
        """Return the name of a document that is known, but not among those at hand."""
        for _, _, number in act_numbers(text):
            if all(act_number(name) != number for name in self._names.values()):
                return number
        here = " ".join(self._names.values()).upper()
        for word in _CAPITALS.findall(text):
            codes = {code.upper() for short in SHORT_NAMES.values() for code in short}
            if word.upper() in codes and word.upper() not in here:
                return str(word)
        return ""


def short_name(document: DocumentSummary) -> str:
    """Return what people call a document: `AI Act`, `COBS`, or its title."""
    number = act_number(document.title)
    known = SHORT_NAMES.get(number, ()) if number else ()
    code = document_code(document.title) or next(iter(_LAST_CODE.findall(document.title)), None)
    return (known[0] if known else code) or document.title or document.document_id


def _aliases(name: str) -> re.Pattern[str] | None:
    """Return what finds the parts of a short name that stand for it: LCR of "LCR … Regulation"."""
    words = [word for word in _CAPITALS.findall(name) if len(word) > 2]
    alternatives = "|".join(re.escape(word) for word in dict.fromkeys([name, *words]))
    return (
        re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)(?: (?:DR|DA)\b)?") if alternatives else None
    )
