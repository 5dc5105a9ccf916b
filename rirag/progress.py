"""Progress of long work over many questions."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[], object]
"""Called after each question."""

Stage = Callable[[str, int], Progress]
"""Called with what begins and its number of questions; returns what is called after each."""
