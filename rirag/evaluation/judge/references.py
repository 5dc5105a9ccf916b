"""Official answers of a file, by question."""

from __future__ import annotations

from pathlib import Path

from rirag.evaluation.json_records import json_records
from rirag.evaluation.problems import Problem, refuse_if_any
from rirag.files import read_text

_IDS, _ANSWERS = ("question_id", "QuestionID", "qa_id"), ("answer", "Answer", "reference")


def read_references(path: Path) -> dict[str, str]:
    """Return question → official answer.

    Raises:
        InputError: the file cannot be used; the message lists all bad records.
    """
    problems: list[Problem] = []
    found: dict[str, str] = {}
    for line, record in json_records(read_text(path), problems):
        fields = record if isinstance(record, dict) else {}
        key = next((str(fields[name]) for name in _IDS if fields.get(name)), None)
        answer = next((fields[name] for name in _ANSWERS if fields.get(name)), None)
        if key is None or not isinstance(answer, str) or not answer.strip():
            problems.append((line, "an official answer needs question_id and answer."))
        elif key in found:
            problems.append((line, f"question {key!r} already has an official answer."))
        else:
            found[key] = answer
    refuse_if_any(problems, path)
    return found
