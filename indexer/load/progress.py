"""How far a run has come, for whoever shows it."""

from __future__ import annotations

from typing import Literal, Protocol

from search.engines import protocol
from search.errors import InputError

Stage = Literal["read", "arrange", "encode", "load"]
"""The stages of a run, by what they count: files, documents, texts, and passages."""


class Progress(Protocol):
    """A callback for progress, called from the thread that ingests."""

    def __call__(self, stage: Stage, done: int, total: int) -> None:
        """Take note that `done` of `total` steps of a stage are finished."""
        ...


def silent(stage: Stage, done: int, total: int) -> None:
    """Show nothing."""


def listener(progress: Progress | None) -> Progress:
    """Return what is told how far a run is; what shows nothing unless something is given.

    Raises:
        InputError: it cannot be called.
    """
    if progress and not callable(progress):
        raise InputError(
            f"progress must be a function of stage, done and total, or None, not {progress!r:.80}",
            code="argument.invalid",
        )
    return progress or silent


def storing(progress: Progress) -> protocol.Progress:
    """Return what an engine tells its progress to while it commits."""

    def told(stage: str, done: int, total: int) -> None:  # noqa: ARG001 - engines have one stage
        progress("load", done, total)

    return told
