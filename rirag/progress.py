"""How long work over many questions tells whoever watches how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[], object]
"""Told after each question."""

Stage = Callable[[str, int], Progress]
"""Told what begins and how many questions it has; returns what is told after each."""
