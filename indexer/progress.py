"""How far a run has come, for whoever shows it."""

from __future__ import annotations

from typing import Literal, Protocol

Stage = Literal["read", "arrange", "encode", "load"]
"""The steps of a run: files, documents, texts and documents again."""


class Progress(Protocol):
    """A callback, called from the thread that ingests."""

    def __call__(self, stage: Stage, done: int, total: int) -> None:
        """Take note that `done` of `total` steps of a stage are finished."""
        ...


def silent(stage: Stage, done: int, total: int) -> None:
    """Show nothing."""
