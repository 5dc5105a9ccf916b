"""One JSON record of a passage: its fields, and what may be wrong with them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, get_args

from search.errors import InputError
from search.records import Kind, MetadataValue, Passage

REQUIRED = ("ID", "DocumentID", "PassageID", "Passage")
"""Fields of every record, as ObliQA names them."""

TITLE_FIELDS = ("DocumentTitle", "document_title")

NUMBER_CHARACTERS = 500
"""A longer `PassageID` is a text in the wrong field (the longest of ObliQA has 106)."""

KINDS = frozenset(get_args(Kind))


def parse_record(record: object, source: str) -> Passage:
    """Return the passage of one record; fields that are not required become metadata.

    Args:
        record: what the JSON text held.
        source: file and line, as the passage shows them.

    Raises:
        InputError: a field is missing or of the wrong type. The caller adds the place.
    """
    if not isinstance(record, dict):
        raise InputError(f"expected a record in braces, found {_type_name(record)}")
    missing = [name for name in REQUIRED if name not in record]
    if missing:
        raise InputError(f"the record has no {' and no '.join(missing)}; add the field")
    number = _label(record, "PassageID")
    if len(number) > NUMBER_CHARACTERS:
        raise InputError(f"PassageID is longer than {NUMBER_CHARACTERS} characters; put the number")
    kind = record.get("kind", "rule")
    passage = Passage(
        id=_filled(record, "ID"),
        document_id=_filled(record, "DocumentID"),
        passage_id=number,
        text=_text(record, "Passage"),
        document_title=_title(record),
        kind=kind if kind in KINDS else "rule",
        metadata=_metadata(record),
        source=source,
    )
    _refuse_half_characters(passage)
    return passage


def foreign_record(beginning: str) -> str:
    """Return why the record a text begins with is no passage, or "" if it may be one.

    A folder of regulations often holds a file of questions too.
    """
    try:
        record, _ = json.JSONDecoder().raw_decode(beginning.lstrip())
    except (ValueError, RecursionError):
        return ""
    if isinstance(record, dict) and "Passage" not in record and "PassageID" not in record:
        return "its records have neither PassageID nor Passage"
    return ""


def _filled(record: Mapping[str, Any], name: str) -> str:
    label = _label(record, name)
    if not label.strip():
        raise InputError(f"{name} is empty; give every record one")
    return label


def _label(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{name} must be a text or a whole number, found {_type_name(value)}")


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, found {_type_name(value)}")
    return value


def _title(record: Mapping[str, Any]) -> str:
    return next((_text(record, name) for name in TITLE_FIELDS if record.get(name) is not None), "")


def _metadata(record: Mapping[str, Any]) -> dict[str, MetadataValue]:
    known = {*REQUIRED, *TITLE_FIELDS}
    if record.get("kind") in KINDS:
        known.add("kind")
    return {
        name: _metadata_value(name, value)
        for name, value in record.items()
        if name not in known and value is not None
    }


def _metadata_value(name: str, value: object) -> MetadataValue:
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name} is not a finite number; remove it")
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise InputError(
        f"{name} must be a text, a number, true, false or a list of texts, "
        f"found {_type_name(value)}"
    )


def _refuse_half_characters(passage: Passage) -> None:
    """Refuse surrogates without their other half: no file or index could hold them."""
    try:
        passage.content_hash()
    except UnicodeEncodeError as error:
        raise InputError("the record holds half a character (a lone \\ud… escape)") from error


def _type_name(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text",
             list: "a list", dict: "a record"}  # fmt: skip
    return names.get(type(value), type(value).__name__)
