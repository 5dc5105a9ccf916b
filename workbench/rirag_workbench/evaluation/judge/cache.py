"""Replies that were paid for once: a JSONL file by model, prompt and texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generation.llm.protocol import LLM, Prompt
from generation.llm.running import run
from generation.llm.schemas import read_json
from rirag.files import read_text
from search.errors import InputError, StorageError


def key_of(model: str, prompts: Sequence[str], texts: Sequence[str], examples: int = 0) -> str:
    """Return what a reply depends on, as a hash.

    Args:
        model: that is asked.
        prompts: the texts that decide how it is asked.
        texts: what it judges.
        examples: graded examples that it is shown.
    """
    parts = [model, str(examples), *prompts, *texts]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Cache:
    """Verdicts by key; every new one is written at once."""

    def __init__(self, path: Path | None) -> None:
        """Read the file, if there is one; None: verdicts are kept in memory only.

        Raises:
            InputError: it holds something else.
        """
        self._path = path
        self._verdicts: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            lines = read_text(path, may_be_empty=True).splitlines()
            for number, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    self._verdicts[record["key"]] = {**record["grades"]}
                except (ValueError, KeyError, TypeError):
                    if number == len(lines):  # cut by a crash
                        break
                    message = "this file is not a cache; choose another file with --cache."
                    raise InputError(message, path, number, code="evaluation.invalid") from None

    def reply(self, key: str, llm: LLM, prompt: Prompt) -> dict[str, Any]:
        """Return the verdict of a key; where it is not known, a language model is asked.

        Args:
            key: of the prompt.
            llm: the model.
            prompt: asks for a reply of a schema.

        Raises:
            LLMError: there is no usable reply.
            StorageError: the file cannot be written.
        """
        known = self.get(key)
        if known is None:
            schema = prompt.schema.schema if prompt.schema else {}
            known = read_json(run(llm.complete_async(prompt)).text, schema)
            self.put(key, known)
        return known

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the verdict of a key; None: it is not known."""
        return self._verdicts.get(key)

    def put(self, key: str, verdict: Mapping[str, Any]) -> None:
        """Keep a verdict.

        Raises:
            StorageError: the file cannot be written.
        """
        self._verdicts[key] = {**verdict}
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "grades": {**verdict}}) + "\n")
        except OSError as error:
            raise StorageError(f"{self._path} cannot be written: {error.strerror}") from error
