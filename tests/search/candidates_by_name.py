"""Retrievers worked out by hand, whose candidates have names instead of numbers."""

from __future__ import annotations

from search.candidates import Candidate, Candidates
from search.ranking.candidate_set import Fused, FusedCandidates
from search.records import Kind


def candidate(name: str, score: float, kind: Kind = "rule") -> Candidate:
    """A candidate whose key stands for its name, and whose document is the first letter of it."""
    return Candidate(int.from_bytes(name.encode()), name[0], score, kind)


def retriever(**scores: float) -> Candidates:
    """Candidates with their raw scores, best first."""
    return Candidates.of(candidate(name, score) for name, score in scores.items())


def name_of(key: int) -> str:
    """The name that a key stands for."""
    return key.to_bytes((key.bit_length() + 7) // 8).decode()


def by_name(fused: FusedCandidates) -> dict[str, Fused]:
    """The candidates in their order."""
    return {name_of(one.key): one for one in fused}
