"""Fusion profiles: how much each leg weighs, by the length of the question. Data, not code."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from search.errors import InputError

PROFILES_FILE = Path(__file__).with_name("profiles.toml")

DEFAULT_PROFILE = "default"

Fusion = Literal["convex", "rrf"]
"""How the legs are brought together: weighted sum of min-max scores, or of reciprocal ranks."""


@dataclass(frozen=True, slots=True)
class AlphaStep:
    """The lexical weight for questions up to a length."""

    value: float
    """Weight of the lexical leg, 0 to 1."""
    words: int | None = None
    """Longest question it is for, in words; None: any."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All the numbers that shape a ranking."""

    name: str
    source: str
    """Where the numbers come from."""
    fusion: Fusion
    alpha: tuple[AlphaStep, ...]
    document_weight: float
    """Weight of the whole document's BM25 score, 0 to 1."""
    heading_weight: float
    """Factor on the fused score of a passage that is only a heading, 0 to 1."""
    depth: int
    """Candidates of each leg."""
    rerank_count: int
    """Fused candidates that the cross-encoder reads."""
    rerank_weight: float
    """Weight of the cross-encoder against the fused score, 0 to 1."""

    def alpha_for(self, words: int) -> float:
        """Return the lexical weight for a question of so many words (BDD-FinLegal, eq. 2)."""
        for step in self.alpha:
            if step.words is None or words <= step.words:
                return step.value
        return self.alpha[-1].value


def load_profile(name: str) -> Profile:
    """Return a profile by name.

    Raises:
        InputError: there is none of this name; the message lists what there is.
    """
    profiles = read_profiles()
    if name not in profiles:
        raise InputError(f"unknown profile {name!r}; choose one of {', '.join(profiles)}")
    return profiles[name]


@cache
def read_profiles(path: Path = PROFILES_FILE) -> dict[str, Profile]:
    """Read all profiles of a file, in its order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _profile(name, table) for name, table in tables.items()}


def _profile(name: str, table: dict[str, object]) -> Profile:
    fields = dict(table)
    steps = fields.pop("alpha")
    alpha = tuple(AlphaStep(**step) for step in steps)  # type: ignore[attr-defined]
    return Profile(name=name, alpha=alpha, **fields)  # type: ignore[arg-type]
