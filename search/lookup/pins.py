"""What comes before all candidates of a search, because the question asks for it by name."""

from __future__ import annotations

from dataclasses import dataclass

from search.candidates import Candidate
from search.records import Passage

NAMED = 1.0
"""Score of a passage that the question names."""
BESIDE_NAMED = 0.5
"""Factor on the fused score of all others, so that they come after and miss the answer's floor."""


@dataclass(frozen=True, slots=True)
class Named:
    """A passage that the question names, or that is below one."""

    candidate: Candidate
    passage: Passage
    score: float
    definition: str = ""
    """What it says of a term whose meaning is asked for; empty: the question names its number."""
