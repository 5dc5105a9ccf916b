"""Official answers of a file, by question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rirag.inputs.json_records import read_records

_IDS, _ANSWERS = ("question_id", "QuestionID", "qa_id"), ("answer", "Answer", "reference")


def read_references(path: Path) -> dict[str, str]:
    """Return question → official answer.

    Raises:
        InputError: the file cannot be used; the message lists all bad records.
    """
    found: dict[str, str] = {}

    def keep(record: Any, _line: int) -> None:
        fields = record if isinstance(record, dict) else {}
        key = next((str(fields[name]) for name in _IDS if fields.get(name)), None)
        answer = next((fields[name] for name in _ANSWERS if fields.get(name)), None)
        if key is None or not isinstance(answer, str) or not answer.strip():
            raise ValueError("an official answer needs question_id and answer.")
        if key in found:
            raise ValueError(f"question {key!r} already has an official answer.")
        found[key] = answer

    read_records(path, keep)
    return found
