"""Progress bars on stderr, only where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Self

from tqdm import tqdm

LABELS = {
    "read": ("reading", "source"),
    "arrange": ("arranging", "document"),
    "encode": ("encoding", "passage"),
    "prepare": ("preparing", "document"),
    "load": ("storing", "passage"),
}


class StageBars:
    """One bar for the stage that is running; a context manager."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that so much of a stage is done."""
        if stage != self._stage:
            self._close()
            label, unit = LABELS.get(stage, (stage, "it"))
            self._bar = tqdm(
                total=total, desc=label, unit=unit, leave=False, disable=not sys.stderr.isatty()
            )
            self._stage = stage
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._stage = None, ""


class QuestionBars:
    """One bar for the questions that are being asked; a context manager."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def begin(self, label: str, total: int) -> Callable[[], object]:
        """Begin a stage; return what is told after each question."""
        self.__exit__()
        self._bar = tqdm(
            total=total, desc=label, unit="question", leave=False, disable=not sys.stderr.isatty()
        )
        update: Callable[[], object] = self._bar.update
        return update
