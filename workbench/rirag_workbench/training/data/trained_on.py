"""What a model was trained on: from the record beside it, and from the files themselves.

A model knows the answers to the questions it was trained on, so that weights fitted to them would
trust it too much.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rirag.files import sha256_of
from rirag.inputs.gold import Resolve
from rirag.inputs.questions import Question
from rirag_workbench.training.data.examples import read_examples
from rirag_workbench.training.data.held_out import is_validation, question_hash
from search.errors import ModelError
from search.models.encoders import MODELS_FOLDER

RECORD_FILE = "training.json"
"""Lies in the folder of every model that rirag trained."""
HASHES = "question_hashes"
"""Field of a record: `question_hash` of each question that was trained on, in one text with spaces
between. The records of the built-in models lack it."""


def read_record(path: Path) -> dict[str, Any]:
    """Read the record of a training, which names each data file with its SHA-256."""
    try:
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))
        files = [*all_data(record), *record.get("validation", ())]
        whole = "auxiliary" in record and all("sha256" in file for file in files)
        whole = whole and isinstance(record.get(HASHES, ""), str)
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise ModelError(
            f"{path} is not a record of a training run; export the model again, or remove the file."
        )
    return record


def all_data(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the data files of a record, and those that its base was trained on."""
    return [*record["data"], *record.get("data_before", ())]


def trained_before(base: str) -> tuple[list[dict[str, Any]], frozenset[str]]:
    """Return the data files that a base and its own bases were trained on, and question hashes.

    A base is a folder of weights, with its record in it or beside it; others have none.
    """
    folder = Path(base)
    path = _record_in(folder, folder.parent) if folder.is_dir() else None
    if path is None:
        return [], frozenset()
    record = read_record(path)
    return all_data(record), _hashes(record)


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """The data of an encoder's training."""

    files: frozenset[str] = frozenset()
    """SHA-256 of each question or pair file of this training and of those before it."""
    questions: frozenset[str] = frozenset()
    """`question_hash` of each question that is known to be trained on."""
    whole: frozenset[str] = frozenset()
    """SHA-256 of those of `files` that were not validation files: no fifth of them was held
    out."""

    @classmethod
    def read(cls, encoder: str) -> TrainedOn:
        """Read the record of an encoder."""
        path = _record_in(Path(encoder), MODELS_FOLDER / encoder)
        if path is None:
            return cls()
        record = read_record(path)
        files = frozenset(file["sha256"] for file in all_data(record))
        whole = files - {file["sha256"] for file in record.get("validation", ())}
        return cls(files, _hashes(record), whole)

    def with_files(self, files: Iterable[Path], resolve: Resolve) -> TrainedOn:
        """Add the questions of files, without the fifth that training may have held out of them."""
        added = (self._trained_on(file, resolve) for file in files)
        return replace(self, questions=self.questions.union(*added))

    def unseen(self, questions: Iterable[Question], sha256: str) -> Sequence[Question]:
        """Return the questions of a file that the encoder was not trained on.

        Of a file that the record names these are questions of the fifth that was held out, if it
        was a file of validation.
        """
        unnamed = sha256 not in self.files
        return [
            one
            for one in questions
            if (unnamed or self._may_be_held_out(one.question_id, sha256))
            and question_hash(one.text) not in self.questions
        ]

    def _trained_on(self, file: Path, resolve: Resolve) -> frozenset[str]:
        pairs = read_examples(file, resolve)
        sha256 = sha256_of(file)
        return frozenset(
            question_hash(pair.question)
            for pair in pairs
            if not self._may_be_held_out(pair.question_id, sha256)
        )

    def _may_be_held_out(self, question_id: str, sha256: str) -> bool:
        """Return whether training may have left out a question of a file for validation."""
        return sha256 not in self.whole and bool(question_id) and is_validation(question_id)


def _hashes(record: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(record.get(HASHES, "").split())


def _record_in(*folders: Path) -> Path | None:
    """Return the first record that there is in folders."""
    return next((one / RECORD_FILE for one in folders if (one / RECORD_FILE).is_file()), None)
