"""What an encoder was trained on: from the record beside it, and from the files themselves.

A model knows the answers to the questions it was trained on, so that weights fitted to them would
trust it too much.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rirag.evaluation.gold import Resolve
from rirag.training.data.examples import read_examples
from rirag.training.data.guard import HeldOut
from rirag.training.runs.record import RECORD_FILE, all_data
from search.encoders import MODELS_FOLDER
from search.errors import ModelError


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
        folders = (Path(encoder), MODELS_FOLDER / encoder)
        path = next((one / RECORD_FILE for one in folders if (one / RECORD_FILE).is_file()), None)
        if path is None:
            return cls()
        try:
            record = json.loads(path.read_text("utf-8"))
            files = frozenset(file["sha256"] for file in all_data(record))
            return cls(files, bool(record["auxiliary"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"{path} is no record of a training ({error!r}); export the model again, or remove "
                "the file."
            ) from error
