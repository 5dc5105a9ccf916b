"""Records with other field names: which field holds the number, which the text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from indexer.blocks import LeftOut
from indexer.hierarchy.passage_ids import make_id
from indexer.problems import Problems
from indexer.readers.labels import RESERVED, flat
from search.errors import InputError

NO_FIELD = "fields of records that are neither text nor number"

HEADING = "Heading"
"""The field whose text is the first line of the passage."""

NAMES = ("ID", "DocumentID", "PassageID", "Passage", "DocumentTitle", HEADING)
"""What a field of a corpus may be, in the order in which they are shown."""

_SPELLINGS = {
    "PassageID": (
        "passageid", "provisionid", "articlenumber", "articleno", "articlenum", "article", "artno",
        "sectionnumber", "sectionno", "sectionnum", "section", "paragraphnumber", "paragraphno",
        "rulenumber", "ruleno", "rule", "clausenumber", "clause", "number", "num", "nr", "no",
        "citation", "reference", "ref", "artikel", "articulo", "paragraf", "requirementid",
        "controlid", "anchor",
    ),
    "Passage": (
        "passage", "text", "content", "body", "textmd", "articletext", "sectiontext",
        "paragraphtext", "provisiontext", "fulltext", "description", "requirement", "obligation",
        "wording", "inhalt", "texto", "texte",
    ),
    "DocumentID": ("documentid", "docid", "document", "doc", "actid", "lawid", "celex"),
    "DocumentTitle": ("documenttitle", "acttitle", "lawtitle", "documentname", "act", "law"),
    HEADING: ("heading", "title", "articletitle", "sectiontitle", "headline", "caption", "name"),
}  # fmt: skip
"""Spellings of each, without blanks and signs; the first that a record has counts."""


_ENDINGS = {
    ours: re.compile(rf"^(?!doc|act\b|law).*[\w)][\s_-]+(?:{words})$", re.IGNORECASE)
    for ours, words in {
        "PassageID": "id|ref|reference|number|num|no|nr|code",
        "Passage": "text|description|requirement|obligation|wording",
        HEADING: "heading|title|name",
    }.items()
}
"""Last words of other names: `Control description`; the first that a record has counts."""


def parse_fields(texts: Iterable[str]) -> dict[str, str]:
    """Return the field of a corpus for each of ours: `PassageID=article,Passage=text`.

    Raises:
        InputError: a part is not a pair, or names no field of ours.
    """
    found: dict[str, str] = {}
    for pair in (one for text in texts for one in text.split(",") if one.strip()):
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        known = next((name for name in NAMES if name.lower() == ours.lower()), None)
        if not equals or not theirs or known is None:
            raise InputError(
                f"--map {pair!r} names no field; write FIELD=YOURS, FIELD one of "
                f"{', '.join(NAMES)}",
                code="source.fields",
            )
        found[known] = theirs
    return found


def guessed_fields(keys: Iterable[object]) -> dict[str, str]:
    """Return which keys of a record hold what; {} where number or text cannot be told."""
    plain = {_plain(key): key for key in reversed([k for k in keys if isinstance(k, str)])}
    found = {
        ours: next(plain[one] for one in spellings if one in plain)
        for ours, spellings in _SPELLINGS.items()
        if any(one in plain for one in spellings)
    }
    for ours in _ENDINGS.keys() - found.keys():
        ends = (key for key in reversed(plain.values()) if _ENDINGS[ours].search(key))
        if key := next(ends, None):
            found[ours] = key
    return found if {"PassageID", "Passage"} <= found.keys() else {}


class MappedRecords:
    """Gives records our field names; one for each file."""

    def __init__(
        self, fields: Mapping[str, str], path: Path, source: str, problems: Problems
    ) -> None:
        """Prepare.

        Args:
            fields: our field → theirs; empty: told by the first record, and noted.
            path: of the file; its stem names the document of records that name none.
            source: the file's name as passages show it.
            problems: gets what was guessed and what is left out.
        """
        self._fields = dict(fields)
        self._told = bool(fields)
        self._path, self._source, self._problems = path, source, problems
        self._seen: Counter[tuple[str, str]] = Counter()

    @property
    def fields(self) -> Mapping[str, str]:
        """Our field → theirs; empty where the records have our names, or nothing is known."""
        return self._fields

    def mapped(self, record: object, number: str = "") -> object:
        """Return a record with our field names; one that has them is returned as it is.

        Args:
            record: what was read.
            number: of one that names none itself.
        """
        if not isinstance(record, dict):
            return record
        if not self._told:
            self.tell(record)
        if not self._fields:
            return record
        made, left_out = self._renamed(record)
        self._problems.leave_out(self._source, left_out)
        heading, text = made.pop(HEADING, None), made.get("Passage")
        if isinstance(heading, str) and heading.strip() and isinstance(text, str):
            made["Passage"] = f"{heading.strip()}\n{text}"
        made.setdefault("DocumentID", self._path.stem)
        if number:
            made.setdefault("PassageID", number)
            made.setdefault("Passage", "")
        if "PassageID" in made and "ID" not in made:
            key = (str(made["DocumentID"]), str(made["PassageID"]))
            self._seen[key] += 1
            made["ID"] = make_id(*key, self._seen[key])
        return made

    def tell(self, keys: Iterable[object]) -> None:
        """Guess from the keys of a record what holds what, unless it has our names."""
        self._told = True
        names = list(keys)
        if "Passage" in names or "PassageID" in names:
            return
        self._fields = guessed_fields(names)
        if self._fields:
            self._problems.guesses.append(
                f"Guessed the fields of {self._source} with {shown_fields(self._fields)}. Correct "
                "them with --map."
            )

    def _renamed(self, record: Mapping[str, Any]) -> tuple[dict[str, Any], list[LeftOut]]:
        """Return the fields of a record by our names, and those that no passage can have."""
        theirs = {theirs: ours for ours, theirs in self._fields.items()}
        made: dict[str, Any] = {}
        left_out: list[LeftOut] = []
        own = {key: value for key, value in record.items() if key in theirs}
        more = {key: value for key, value in record.items() if key not in theirs}
        for key, value in (*own.items(), *flat(more)):
            if value is None:
                continue
            ours = theirs.get(key)
            if ours is not None:
                made[ours] = _joined(value)
            elif key in NAMES or isinstance(value, dict) or not _is_metadata(value):
                left_out.append(LeftOut(json.dumps(value, ensure_ascii=False), NO_FIELD))
            else:
                made[f"source_{key}" if key in RESERVED else key] = value
        return made, left_out


def _joined(value: object) -> object:
    """Return a list of texts as one text, whose lines they are."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return value


def _is_metadata(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return isinstance(value, str | int | float | bool)


def shown_fields(fields: Mapping[str, str]) -> str:
    """Return fields as `--map` takes them."""
    return ",".join(f"{ours}={fields[ours]}" for ours in NAMES if ours in fields)


def _plain(key: object) -> str:
    return "".join(c for c in str(key).casefold() if c.isalnum())
