"""Bring the legs together: pure functions over candidates, without engine or encoder.

Rules for the odd cases, each tested:
- a leg without candidates contributes nothing;
- a leg whose candidates all have one score (or that has a single one) gives each of them 1;
- a candidate that a leg did not propose scores 0 there, as the leg's last candidate does;
- equal fused scores keep the order of the lexical leg, then of the dense leg, then of the memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from search.engines.protocol import LegResults
from search.profiles import Profile
from search.records import Candidate, Key, Kind, LegScore

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack et al., SIGIR 2009)."""


class Fused(NamedTuple):
    """A candidate with what every leg said of it; a tuple, because every search makes hundreds."""

    key: Key
    document_id: str
    score: float
    """Fused score, 0 to 1."""
    lexical: LegScore | None
    dense: LegScore | None
    document: LegScore | None
    memory: LegScore | None = None
    kind: Kind = "rule"


def min_max(scores: Sequence[float]) -> list[float]:
    """Scale a leg's scores to 0…1 (RIRAG, eq. 5); all equal: 1 each."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high == low:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def fuse(
    legs: LegResults, profile: Profile, alpha: float, memory: Sequence[Candidate] = ()
) -> list[Fused]:
    """Return all candidates of the legs and of the memory, best first.

    With s the normalised scores: S = alpha·s_lexical + (1 - alpha)·s_dense (BDD-FinLegal, eq. 1),
    then (1 - w)·S + w·s_document with the document weight w (RIRAG, appendix A.7), the heading
    weight as a factor on passages that are only headings, and last (1 - m)·S + m·s_memory with the
    weight m that `memory_weight` gives, where s_memory is a vote divided by the best one.

    Args:
        legs: what the engine found.
        profile: kind of fusion, and the weights of documents, headings and memory.
        alpha: weight of the lexical leg, 0 to 1.
        memory: passages that answered similar questions, scored by their votes.
    """
    lexical = _leg_scores(legs.lexical)
    dense = _leg_scores(legs.dense)
    remembered = _votes(memory)
    documents = _document_scores(legs.documents)
    weight = profile.document_weight if documents else 0.0
    recalled = memory_weight(profile, memory)
    union = {candidate.key: candidate for candidate in (*legs.lexical, *legs.dense, *memory)}
    contribution = _reciprocal_rank if profile.fusion == "rrf" else _normalised
    fused = []
    for key, candidate in union.items():
        document = documents.get(candidate.document_id)
        score = alpha * contribution(lexical.get(key)) + (1 - alpha) * contribution(dense.get(key))
        score = (1 - weight) * score + weight * _normalised(document)
        if candidate.kind == "heading":
            score *= profile.heading_weight
        votes = remembered.get(key)
        score = (1 - recalled) * score + recalled * _normalised(votes)
        fused.append(
            Fused(
                key,
                candidate.document_id,
                score,
                lexical.get(key),
                dense.get(key),
                document,
                votes,
                candidate.kind,
            )
        )
    return sorted(fused, key=lambda one: -one.score)


def memory_weight(profile: Profile, memory: Sequence[Candidate]) -> float:
    """Return the weight of the memory for one question, 0 to the profile's own weight w.

    With the best vote v it is w·v / (1 - w + w·v): candidates are ordered as by (1 - w)·S + w·vote,
    and scores stay what they are where no known question resembles the asked one.
    """
    best = max((one.score for one in memory), default=0.0)
    share = profile.memory_weight * best
    return share / (1 - profile.memory_weight + share) if share else 0.0


def _votes(memory: Sequence[Candidate]) -> dict[Key, LegScore]:
    best = max((one.score for one in memory), default=0.0) or 1.0
    return {
        one.key: LegScore(one.score, one.score / best, rank)
        for rank, one in enumerate(memory, start=1)
    }


def _leg_scores(candidates: Sequence[Candidate]) -> dict[Key, LegScore]:
    normalised = min_max([candidate.score for candidate in candidates])
    return {
        candidate.key: LegScore(candidate.score, value, rank)
        for rank, (candidate, value) in enumerate(zip(candidates, normalised, strict=True), start=1)
    }


def _document_scores(documents: Sequence[tuple[str, float]]) -> Mapping[str, LegScore]:
    normalised = min_max([score for _, score in documents])
    return {
        name: LegScore(raw, value, rank)
        for rank, ((name, raw), value) in enumerate(zip(documents, normalised, strict=True), 1)
    }


def _normalised(score: LegScore | None) -> float:
    return 0.0 if score is None else score.normalised


def _reciprocal_rank(score: LegScore | None) -> float:
    # Scaled so that the first place of every leg gives 1, as the other fusions do.
    return 0.0 if score is None else (RRF_K + 1) / (RRF_K + score.rank)
