"""What models said once, by key: a JSONL file, so that a run that ended early can be taken up."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from generation.llm.protocol import LLM, Prompt
from generation.llm.running import run
from generation.llm.schemas import read_json
from rirag.files import read_text
from search.errors import InputError, StorageError


def key_of(model: str, prompts: Sequence[str], texts: Sequence[str], examples: int = 0) -> str:
    """Return what a reply depends on, as a hash."""
    parts = [model, str(examples), *prompts, *texts]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Cache:
    """Replies by key; every new one is written at once."""

    def __init__(
        self,
        path: Path | None,
        field: str = "grades",
        problem: str = "this file is not a cache; choose another file with --cache.",
        code: str = "evaluation.invalid",
    ) -> None:
        """Read the file, if there is one.

        Args:
            path: of the file; None: replies are kept in memory only.
        """
        self._path, self._field = path, field
        self._known: dict[str, Any] = {}
        self._writing = Lock()
        self._whole: int | None = None
        """Bytes of the whole lines, where a crash cut the last one."""
        if path is None or not path.exists():
            return
        lines = read_text(path, may_be_empty=True).splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                self._known[record["key"]] = record[field]
            except (ValueError, KeyError, TypeError):
                if number < len(lines):
                    raise InputError(problem, path, number, code=code) from None
                self._whole = path.stat().st_size - len(line.encode())

    def reply(self, key: str, llm: LLM, prompt: Prompt) -> dict[str, Any]:
        """Return the verdict of a key; where it is not known, a language model is asked."""
        known: dict[str, Any] | None = self.get(key)
        if known is None:
            schema = prompt.schema.schema if prompt.schema else {}
            known = read_json(run(llm.complete_async(prompt)).text, schema)
            self.put(key, known)
        return known

    def get(self, key: str) -> Any:
        """Return the reply of a key; None: it is not known."""
        return self._known.get(key)

    def put(self, key: str, reply: Any) -> None:
        """Keep a reply."""
        self._known[key] = reply
        if self._path is None:
            return
        line = json.dumps({"key": key, self._field: reply}) + "\n"
        try:
            with self._writing, self._path.open("a", encoding="utf-8") as file:
                if self._whole is not None:
                    os.truncate(self._path, self._whole)
                    self._whole = None
                file.write(line)
        except OSError as error:
            raise StorageError(f"{self._path} cannot be written: {error.strerror}") from error
