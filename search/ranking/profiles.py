"""Fusion profiles: how much each leg weighs, by the length of the question. Data, not code."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from search.errors import InputError
from search.messages.arguments import text_or_path
from search.ranking.profile_checks import CHOICES, COUNTS, WEIGHTS, problem_of, problem_of_alpha

PROFILES_FILE = Path(__file__).with_name("profiles.toml")

DEFAULT_PROFILE = "default"
"""The general profile, and the name that stands for the one fitted for an index's encoder."""

FILE_SUFFIX = ".toml"

Fusion = Literal["convex", "rrf"]
"""How the legs are brought together: weighted sum of min-max scores, or of reciprocal ranks."""

AlphaShape = Literal["steps", "smooth"]
"""How the lexical weight follows the length of the question: by steps, as in BDD-FinLegal, or in
straight lines between the rows over the logarithm of the length."""


@dataclass(frozen=True, slots=True)
class AlphaStep:
    """The lexical weight for questions up to a length, or (shape `smooth`) of just that length."""

    value: float
    """Weight of the lexical leg, 0 to 1."""
    words: int | None = None
    """Longest question it is for, in words; None: any (`steps` only, in the last row)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All the numbers that shape a ranking; out of range they are refused."""

    name: str
    source: str
    """Where the numbers come from."""
    fusion: Fusion
    alpha: tuple[AlphaStep, ...]
    document_weight: float
    """Weight of the whole document's BM25 score, 0 to 1."""
    heading_weight: float
    """Factor on the fused score of a passage that is only a heading, 0 to 1."""
    memory_weight: float
    """Weight of the votes of known questions against the fused score, 0 to 1."""
    depth: int
    """Candidates of each leg."""
    rerank_count: int
    """Fused candidates that the reranker reads."""
    rerank_weight: float
    """Weight of the reranker against the fused score, 0 to 1."""

    heading_share: float = 0.0
    """Share of its heading's score that is added to a passage's own, 0 to 1
    (`search.ranking.heading_propagation`)."""
    alpha_shape: AlphaShape = "steps"
    encoder: str = ""
    """Encoder that it was fitted for; empty: any."""
    encoder_revision: str = ""
    """Its revision, by which an index's encoder is recognised."""
    learned: str = ""
    """File of the learned step (`search.ranking.learned.learned_fusion`); empty: the weights decide
    alone. In a profile file it is relative to that file."""
    relevance: str = ""
    """File of the calibration of relevance (`search.ranking.learned.relevance`); empty: none is
    given."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be.

        Raises:
            InputError: one is out of its range.
        """
        problems = [
            problem_of_alpha(self.alpha, smooth=self.alpha_shape == "smooth"),
            *(problem_of(one, getattr(self, one)) for one in (*WEIGHTS, *COUNTS, *CHOICES)),
        ]
        if found := " ".join(filter(None, problems)):
            raise InputError(f"profile {self.name!r}: {found}")

    def alpha_for(self, words: int) -> float:
        """Return the lexical weight for a question of so many words (BDD-FinLegal, eq. 2)."""
        if self.alpha_shape == "smooth":
            return self._between_rows(words)
        for step in self.alpha:
            if step.words is None or words <= step.words:
                return step.value
        return self.alpha[-1].value

    def _between_rows(self, words: int) -> float:
        below = self.alpha[0]
        for row in self.alpha:
            if row.words is not None and words <= row.words:
                if row is below or below.words is None:
                    return row.value
                share = math.log(words / below.words) / math.log(row.words / below.words)
                return below.value + share * (row.value - below.value)
            below = row
        return below.value


def load_profile(name: str | os.PathLike[str], encoder_revision: str | None = None) -> Profile:
    """Return a profile by its name, or from a file.

    Args:
        name: of a profile that comes with rirag, or a TOML file with a single profile in it.
            `default` means the profile that was fitted for the encoder, if there is one.
        encoder_revision: of the index's encoder, if it is known.

    Raises:
        InputError: there is none of this name, or the file cannot be used.
    """
    # It imports this module.
    from search.ranking.profile_file import read_profiles

    name = text_or_path(name, "a profile")
    if name.endswith(FILE_SUFFIX):
        file = Path(name)
        profiles = read_profiles(file)
        if len(profiles) > 1:
            names = ", ".join(profiles)
            raise InputError(f"the file must hold a single profile, not {names}.", file)
        return next(iter(profiles.values()))
    profiles = read_profiles(PROFILES_FILE)
    if name not in profiles:
        raise InputError(
            f"unknown profile {name!r}; choose one of {', '.join(profiles)}, or name a file that "
            f"ends in {FILE_SUFFIX}"
        )
    fitted = (one for one in profiles.values() if one.encoder_revision == encoder_revision)
    if name == DEFAULT_PROFILE and encoder_revision is not None:
        return next(fitted, profiles[name])
    return profiles[name]
