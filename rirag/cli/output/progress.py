"""Show the progress of long work on stderr: a bar on a terminal, occasional lines in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Self

import click

SECONDS_BETWEEN_LINES = 30.0
"""In a log, short work says nothing."""

LABELS = {
    "read": ("reading", "source"),
    "arrange": ("arranging", "document"),
    "encode": ("encoding", "passage"),
    "load": ("storing", "passage"),
}
"""Labels of the indexer's stages, and the units that they count."""


def say(line: str) -> None:
    """Print a line of progress with the time, on stderr."""
    click.echo(f"{time.strftime('%H:%M:%S')} {line}", err=True)


class Progress:
    """Show the stage that is running, one at a time; a context manager."""

    def __init__(self) -> None:
        self._stage = ""
        self._shown: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._shown is not None:
            self._shown.close()

    def begin(self, label: str, total: int, unit: str = "question") -> Callable[[], object]:
        """Begin a stage; return the function to call after each of its items.

        Args:
            label: what is being done.
            total: how many items there are.
            unit: what one of them is called.
        """
        self.__exit__()
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._shown = tqdm(total=total, desc=label, unit=unit, leave=False)
        else:
            self._shown = _Lines(total, label, unit)
        update: Callable[[], object] = self._shown.update
        return update

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that so much of a stage of the indexer is done."""
        if stage != self._stage:
            label, unit = LABELS.get(stage, (stage, "item"))
            self.begin(label, total, unit)
            self._stage = stage
        self._shown.update(done - self._shown.n)


class _Lines:
    """Stands in for a bar in a log."""

    def __init__(self, total: int, label: str, unit: str) -> None:
        self.n = 0
        self._of = f"of {total:,} {unit}s"
        self._label = label
        self._said = time.monotonic()

    def update(self, count: int = 1) -> None:
        """Count items, and say so if nothing was said for long."""
        self.n += count
        now = time.monotonic()
        if now - self._said >= SECONDS_BETWEEN_LINES:
            self._said = now
            say(f"{self._label}: {self.n:,} {self._of}")

    def close(self) -> None:
        """End: there is nothing to take away."""
