"""Records with other field names: which field holds the number, which the text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from indexer.blocks import LeftOut
from indexer.hierarchy.passage_ids import make_id
from indexer.problems import Problems
from indexer.readers.columns import HEADING, PROSE, mean_words, roles
from indexer.readers.json.list import LIST_WITHIN
from indexer.readers.json.record import read_record
from indexer.readers.labels import RESERVED, flat
from search.errors import InputError
from search.records import Passage

NO_FIELD = "fields of records that are neither text nor number"

OURS = frozenset({"Passage", "PassageID"})
"""Fields of records that have our names."""
_MORE = ""
"""Where the further lines of a record are until its text is made."""

NAMES = ("ID", "DocumentID", "PassageID", "Passage", "DocumentTitle", HEADING)
"""What a field of a corpus may be, in the order in which they are shown."""

SAMPLE = 500
"""Records whose values show what their fields are."""


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


def guessed_fields(records: Sequence[object], *, strict: bool = True) -> dict[str, str]:
    """Return which fields of records hold what; {} without number or text."""
    return roles(_columns(records), strict=strict)


def _columns(records: Sequence[object]) -> dict[str, list[str]]:
    flat = [one for one in records if isinstance(one, dict)]
    keys = dict.fromkeys(key for one in flat for key in one)
    shown = {key: [_shown(one.get(key)) for one in flat] for key in keys}
    return {key: column for key, column in shown.items() if any(column)}


def _words(records: Sequence[object]) -> frozenset[str]:
    """Return the fields whose values are sentences, which people search for."""
    return frozenset(k for k, column in _columns(records).items() if mean_words(column) > PROSE)


def _shown(value: object) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value).strip()
    joined = _joined(value)
    return joined if isinstance(joined, str) else ""


class RecordsReader:
    """What the readers of records share: which field is what, and the passages of a file."""

    def __init__(self, fields: Mapping[str, str] | None = None) -> None:
        """Prepare.

        Args:
            fields: our field → the records'; none: the names of passages, or guessed.
        """
        self.fields = fields or {}

    def passages(
        self, records: Iterable[tuple[int, object]], path: Path, source: str, problems: Problems,
        *, table: str | None = None,
    ) -> Iterator[Passage]:  # fmt: skip
        """Yield the passage of each record; broken ones are noted.

        Args:
            records: each with its 1-based line or row, or why it cannot be used.
            path: of the file; its stem names the document of records that name none.
            source: the file's name as passages show it.
            problems: gets what was guessed, what is left out and what is wrong.
            table: what numbers of rows begin with, as `Row`; None: not a table.
        """
        coming = iter(records)
        first = list(islice(coming, 1))
        fields, words = dict(self.fields), frozenset[str]()
        ours = any(isinstance(one, dict) and not OURS.isdisjoint(one) for _, one in first)
        if not fields and not ours:
            first += islice(coming, SAMPLE)
            sample = [record for _, record in first]
            ours = any(isinstance(one, dict) and not OURS.isdisjoint(one) for one in sample)
        if not fields and not ours:
            fields = guessed_fields(sample, strict=table is None)
            words = _words(sample) - {*fields.values()}
        if fields and not self.fields:
            problems.guesses.append(
                f"Guessed the fields of {source} with {shown_fields(fields)}. Correct "
                "them with --map."
            )
        seen: Counter[tuple[str, str]] = Counter()
        for line, record in chain(first, coming):
            if isinstance(record, InputError):
                problems.add(record, alone=True)
                continue
            made = record
            if isinstance(record, dict) and (fields or (table and not ours)):
                number = f"{table or 'Record'} {line}" if table or not self.fields else ""
                made, left_out = _renamed(record, fields, words)
                problems.leave_out(source, left_out)
                _complete(made, path.stem, number, seen)
            if passage := read_record(made, path, source, line, problems):
                yield passage


def _complete(made: dict[str, Any], stem: str, number: str, seen: Counter[tuple[str, str]]) -> None:
    """Add what a record of other names lacks; its heading and further words join its text."""
    texts = [made.pop(HEADING, ""), made.get("Passage", ""), *made.pop(_MORE)]
    made.setdefault("DocumentID", stem)
    if number:
        made.setdefault("PassageID", number)
        made.setdefault("Passage", "")
    if isinstance(made.get("Passage"), str):
        made["Passage"] = "\n".join(one for one in texts if isinstance(one, str) and one.strip())
    if "PassageID" in made and "ID" not in made:
        key = (str(made["DocumentID"]), str(made["PassageID"]))
        seen[key] += 1
        made["ID"] = make_id(*key, seen[key])


def _renamed(
    record: Mapping[str, Any], fields: Mapping[str, str], words: Container[str]
) -> tuple[dict[str, Any], list[LeftOut]]:
    """Return the fields of a record by our names, and those that no passage can have.

    A record without any field of ours is all words.
    """
    theirs = {theirs: ours for ours, theirs in fields.items()}
    made: dict[str, Any] = {_MORE: []}
    left_out: list[LeftOut] = []
    own = {key: value for key, value in record.items() if key in theirs}
    more = {key: value for key, value in record.items() if key not in theirs}
    for key, value in (*own.items(), *flat(more)):
        if value is None:
            continue
        ours = theirs.get(key)
        if ours is not None:
            made[ours] = _joined(value)
        elif not fields or (key in words and isinstance(value, str)):
            made[_MORE].append(f"{key}: {value}")
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


def foreign_record(beginning: str) -> str:
    """Return why the record a text begins with is not a passage, or "" if it may be one.

    A folder of regulations often holds a file of questions too.
    """
    record = _first_record(beginning)
    if not isinstance(record, dict) or not OURS.isdisjoint(record) or guessed_fields([record]):
        return ""
    return "its records have neither PassageID nor Passage"


def _first_record(text: str) -> object:
    """Return the value that a text begins with, None where it is not whole."""
    try:
        return json.JSONDecoder().raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError):
        return None


def is_nested(beginning: str) -> bool:
    """Return whether the records that a text begins with hold records, or other objects."""
    text = beginning.lstrip()
    within = LIST_WITHIN.match(text)
    start = within.end() + 1 if within else 1
    record = _first_record(text[start:])
    if record is None:
        return re.search(r"\[\s*\{", text[start:]) is not None
    if not isinstance(record, dict) or not OURS.isdisjoint(record):
        return False
    inner = [one for one in record.values() if isinstance(one, list | dict)]
    if within or any(_are_records(one) for one in inner if isinstance(one, list)):
        return True
    return bool(inner) and not guessed_fields([record])


def _are_records(values: Sequence[object]) -> bool:
    """Return whether a list in a record holds records of its own, at whatever depth."""
    objects = [one for one in values if isinstance(one, dict)]
    lists = (one for fields in objects for one in fields.values() if isinstance(one, list))
    return bool(guessed_fields(objects)) or any(map(_are_records, lists))
