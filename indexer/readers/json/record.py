"""One JSON record of a passage: its fields, and what may be wrong with them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from indexer.problems import Problems
from indexer.readers.files import unusable
from indexer.readers.json.text import RepeatedKeys, type_name
from indexer.readers.labels import control_fault, flat, reserved_fault
from search.records import KINDS, Kind, MetadataValue, Passage

REQUIRED = ("ID", "DocumentID", "PassageID", "Passage")
"""Fields of every record, as ObliQA names them."""

TITLE_FIELDS = ("DocumentTitle", "document_title", "act")

BREADCRUMB_FIELDS = ("breadcrumb", "breadcrumb_read")
"""Fields with number and heading of each enclosing passage, outermost first."""

KNOWN_FIELDS = frozenset({*REQUIRED, *TITLE_FIELDS, *BREADCRUMB_FIELDS, "kind"})
"""Fields with a meaning of their own; every other one is metadata."""

NUMBER_CHARACTERS = 500
"""A longer `PassageID` is a text in the wrong field (the longest of ObliQA has 106)."""


def read_record(
    record: object, path: Path, source: str, line: int, problems: Problems
) -> Passage | None:
    """Return the passage of one record; None after noting everything that is wrong with it.

    Args:
        record: what the JSON text held; fields that are not required become metadata.
        path: the file it is in.
        source: the file's name as passages show it.
        line: the 1-based line of the record.
        problems: receives a problem for each fault.
    """
    faults: list[str] = []
    passage = _passage(record, f"{source}:{line}", faults)
    for fault in faults:
        problems.add(unusable(fault, path, line), alone=True)
    return None if faults else passage


def _passage(record: object, source: str, faults: list[str]) -> Passage | None:
    """Return the passage of a record; it is of use only if no fault was added."""
    if not isinstance(record, dict):
        faults.append(f"expected a record in braces, found {type_name(record)}")
        return None
    missing = [name for name in REQUIRED if name not in record]
    if missing:
        faults.append(f"the record has no {' and no '.join(missing)}; add the field")
    if isinstance(record, RepeatedKeys):
        faults.extend(f"the record has {name!r} twice; keep one" for name in record.repeated)
    passage = Passage(
        id=_label(record, "ID", faults),
        document_id=_label(record, "DocumentID", faults),
        passage_id=_number(record, faults),
        text=_text(record, "Passage", faults) if "Passage" in record else "",
        document_title=_title(record, faults),
        kind=_kind(record, faults),
        breadcrumb=_breadcrumb(record, faults),
        metadata=_metadata(record, faults),
        source=source,
    )
    if not faults and _has_half_characters(passage):
        faults.append(
            "the record contains half a character (a lone \\ud… escape); write the whole one"
        )
    return passage


def foreign_value(beginning: str) -> str:
    """Return why JSON is not a list of records, or "" if it may be one, or is broken.

    Settings and the like are an object, or a list of texts. One in which a passage is named only
    wants its list.
    """
    if beginning.startswith("{"):
        foreign = not any(f'"{name}"' in beginning for name in ("Passage", "PassageID"))
    else:
        foreign = _holds_values_alone(beginning)
    return "JSON, but not a list of records" if foreign else ""


def _holds_values_alone(text: str) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    listed = value if isinstance(value, list) else [value]
    return bool(listed) and not any(isinstance(one, dict | list) for one in listed)


def _label(record: Mapping[str, Any], name: str, faults: list[str]) -> str:
    if name not in record:
        return ""
    value = record[name]
    if not isinstance(value, str | int) or isinstance(value, bool):
        faults.append(f"{name} must be a text or a whole number, found {type_name(value)}")
        return ""
    label = str(value)
    if not label.strip():
        faults.append(f"{name} is empty; every record needs one")
    elif fault := control_fault(name, label):
        faults.append(fault)
    return label


def _number(record: Mapping[str, Any], faults: list[str]) -> str:
    number = _label(record, "PassageID", faults)
    if len(number) > NUMBER_CHARACTERS:
        faults.append(f"PassageID is longer than {NUMBER_CHARACTERS} characters; put the number")
    return number


def _text(record: Mapping[str, Any], name: str, faults: list[str]) -> str:
    value = record[name]
    if isinstance(value, str):
        return value
    faults.append(f"{name} must be a text, found {type_name(value)}")
    return ""


def _title(record: Mapping[str, Any], faults: list[str]) -> str:
    name = _given(record, TITLE_FIELDS)
    return _text(record, name, faults) if name else ""


def _given(record: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((name for name in names if record.get(name) is not None), "")


def _breadcrumb(record: Mapping[str, Any], faults: list[str]) -> tuple[str, ...]:
    name = _given(record, BREADCRUMB_FIELDS)
    labels = record[name] if name else []
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        return tuple(label for label in labels if label.strip())
    faults.append(f"{name} must be a list of texts, found {type_name(labels)}")
    return ()


def _kind(record: Mapping[str, Any], faults: list[str]) -> Kind:
    given = record.get("kind")
    if given is None:
        return "rule"
    for kind in KINDS:
        if isinstance(given, str) and given.casefold() == kind:
            return kind
    found = ascii(given) if isinstance(given, str) else type_name(given)
    faults.append(f"kind must be one of {', '.join(KINDS)}, found {found}")
    return "rule"


def _metadata(record: Mapping[str, Any], faults: list[str]) -> dict[str, MetadataValue]:
    metadata: dict[str, MetadataValue] = {}
    given = {name: value for name, value in record.items() if name not in KNOWN_FIELDS}
    for name, value in flat(given):
        if value is None:
            continue
        if fault := reserved_fault(name) or _value_fault(name, value):
            faults.append(fault)
        else:
            metadata[name] = tuple(value) if isinstance(value, list) else value
    return metadata


def _value_fault(name: str, value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{name} is not a finite number; remove it"
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if texts or isinstance(value, str | int | float):
        return ""
    return (
        f"{name} must be a text, a number, true, false or a list of texts, found {type_name(value)}"
    )


def _has_half_characters(passage: Passage) -> bool:
    """Return whether there are surrogates without their other half: no index could hold them."""
    try:
        passage.content_hash()
    except UnicodeEncodeError:
        return True
    return False
