"""Replies that were paid for once: a JSONL file by model, prompt and texts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from rirag.evaluation.judge.rubric import Case, Grades, fingerprint
from rirag.files import read_text
from search.errors import InputError, StorageError


def key_of(model: str, case: Case, examples: int) -> str:
    """Return what a reply depends on, as a hash."""
    parts = [model, str(examples), *fingerprint(), *asdict(case).values()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Cache:
    """Grades by key; every new one is written at once."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, if there is one; None: grades are kept in memory only.

        Raises:
            InputError: it holds something else.
        """
        self._path = path
        self._grades: dict[str, Grades] = {}
        if path is not None and path.exists():
            lines = read_text(path, may_be_empty=True).splitlines()
            for number, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    self._grades[record["key"]] = Grades(**record["grades"])
                except (ValueError, KeyError, TypeError):
                    if number == len(lines):  # cut by a crash
                        break
                    message = (
                        "this file is not a cache of the judge; choose another file with --cache."
                    )
                    raise InputError(message, path, number, code="evaluation.invalid") from None

    def get(self, key: str) -> Grades | None:
        """Return the grades of a key; None: they are not known."""
        return self._grades.get(key)

    def put(self, key: str, grades: Grades) -> None:
        """Keep grades.

        Raises:
            StorageError: the file cannot be written.
        """
        self._grades[key] = grades
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "grades": asdict(grades)}) + "\n")
        except OSError as error:
            raise StorageError(f"{self._path} cannot be written: {error.strerror}") from error
