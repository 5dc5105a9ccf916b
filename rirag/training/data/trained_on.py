"""What a model was trained on: from the record beside it, and from the files themselves.

A model knows the answers to the questions it was trained on, so that weights fitted to them would
trust it too much.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.evaluation.gold import Resolve
from rirag.training.data.examples import read_examples
from rirag.training.data.guard import HeldOut
from search.encoders import MODELS_FOLDER
from search.errors import ModelError

RECORD_FILE = "training.json"
"""Lies in the folder of every model that rirag trained."""


def read_record(path: Path) -> dict[str, Any]:
    """Read the record of a training, which names each data file with its SHA-256.

    Raises:
        ModelError: it is none that rirag wrote.
    """
    try:
        record: dict[str, Any] = json.loads(path.read_text("utf-8"))
        whole = "auxiliary" in record and all("sha256" in file for file in all_data(record))
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise ModelError(
            f"{path} is no record of a training; export the model again, or remove the file."
        )
    return record


def all_data(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the data files of a record, and those that its base was trained on."""
    return [*record["data"], *record.get("data_before", ())]


def data_before(base: str) -> list[dict[str, Any]]:
    """Return the data files that a base was trained on by its record, and its own base before it.

    Args:
        base: a folder of weights, with the record in it or beside it; others have none.

    Raises:
        ModelError: the record is none that rirag wrote.
    """
    folder = Path(base)
    path = _record_in(folder, folder.parent) if folder.is_dir() else None
    return [] if path is None else all_data(read_record(path))


def answers_in_training(
    files: Iterable[Path], held_out: Iterable[tuple[str, str]], resolve: Resolve
) -> frozenset[str]:
    """Return the IDs of passages that training took for answers.

    Args:
        files: question or pair files that a model was trained on.
        held_out: (ID, text) of questions that training left out of them, by ID or by their words.
        resolve: finds the passages that question files name.

    Raises:
        InputError: a file cannot be used.
    """
    guard = HeldOut(held_out)
    pairs = (pair for file in files for pair in read_examples(file, resolve))
    return frozenset(
        passage.id
        for pair in pairs
        if guard.reason(pair.question_id, pair.question) is None
        for passage in pair.positives
        if passage.id is not None
    )


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """The data of an encoder's training."""

    files: frozenset[str] = frozenset()
    """SHA-256 of each question or pair file of this training and of those before it, of which a
    fifth may have been held out."""
    auxiliary: bool = False
    """Whether it was trained on further pairs, such as titles and terms of a rulebook."""

    @classmethod
    def read(cls, encoder: str) -> TrainedOn:
        """Read the record of an encoder.

        Args:
            encoder: its name: a folder, or one that ships with rirag. Others have no record.

        Raises:
            ModelError: the record is none that rirag wrote.
        """
        path = _record_in(Path(encoder), MODELS_FOLDER / encoder)
        if path is None:
            return cls()
        record = read_record(path)
        files = frozenset(file["sha256"] for file in all_data(record))
        return cls(files, bool(record["auxiliary"]))


def _record_in(*folders: Path) -> Path | None:
    """Return the first record that there is in folders."""
    return next((one / RECORD_FILE for one in folders if (one / RECORD_FILE).is_file()), None)
