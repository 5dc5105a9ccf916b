"""Hand-made passages to hold a reading against: JSON or JSONL with ObliQA's field names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.files import read_text, refused_on_error
from indexer.readers.json.text import limit_fault, type_name
from search.errors import InputError


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """A passage of a hand-made file."""

    document_id: str
    """Empty where the file names no documents."""
    passage_id: str
    text: str | None
    """None where the file only lists numbers."""


def read_gold(path: Path) -> list[GoldPassage]:
    """Return the passages of a hand-made file: a JSON list, or a record a line.

    Of a record, `PassageID` is needed; `Passage` and `DocumentID` are used where they are. What
    `rirag structure --jsonl` prints is such a file.

    Raises:
        InputError: the file cannot be read, or a record has no `PassageID`.
    """
    if not path.is_file():
        raise InputError("no such file; check the path", path, code="gold.missing")
    with refused_on_error(path):
        text = read_text(path, Problems())
    found = []
    for line, record in _records(text, path):
        number = record.get("PassageID") if isinstance(record, dict) else None
        if not isinstance(record, dict) or not isinstance(number, str | int):
            what = "has no PassageID" if isinstance(record, dict) else f"is {type_name(record)}"
            raise InputError(
                f"a hand-made passage {what}; give records with PassageID",
                path,
                line,
                code="gold.invalid",
            )
        document, passage = record.get("DocumentID", ""), record.get("Passage")
        found.append(
            GoldPassage(str(document), str(number), passage if isinstance(passage, str) else None)
        )
    return found


def _records(text: str, path: Path) -> Iterator[tuple[int | None, object]]:
    """Yield (1-based line, if known, and record) of a JSON list or of JSON lines."""
    listed = text.lstrip().startswith("[")
    lines = [text] if listed else text.split("\n")
    for number, written in enumerate(lines, start=1):
        try:
            value = json.loads(written) if written.strip() else []
        except json.JSONDecodeError as error:
            fault = f"not valid JSON ({error.msg})"
            problem = f"{fault}; give a JSON list of passages, or one record per line"
            line = error.lineno if listed else number
            raise InputError(problem, path, line, code="gold.invalid") from error
        except (ValueError, RecursionError) as error:
            problem = f"JSON that cannot be used ({limit_fault(error)})"
            raise InputError(problem, path, code="gold.invalid") from error
        if listed:
            yield from ((None, record) for record in value)
        elif written.strip():
            yield number, value
