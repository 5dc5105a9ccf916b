"""Bring the legs together: pure functions over candidates, without engine or encoder.

Rules for the odd cases, each tested:
- a leg without candidates contributes nothing;
- a leg whose candidates all have one score (or that has a single one) gives each of them 1;
- a candidate that a leg did not propose scores 0 there, as the leg's last candidate does;
- equal fused scores keep the order of the lexical leg, then of the dense leg, then of the memory.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from search.engines.protocol import LegResults
from search.fused import FusedCandidates, LegColumns
from search.profiles import Profile
from search.records import Candidate, Key

if TYPE_CHECKING:
    from numpy.typing import NDArray

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack et al., SIGIR 2009)."""


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
) -> FusedCandidates:
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
    union = {candidate.key: candidate for candidate in (*legs.lexical, *legs.dense, *memory)}
    places = {key: place for place, key in enumerate(union)}
    found = FusedCandidates(
        keys=tuple(union),
        document_ids=tuple(candidate.document_id for candidate in union.values()),
        headings=np.array([candidate.kind == "heading" for candidate in union.values()], np.bool_),
        scores=np.zeros(len(union)),
        lexical=_leg(legs.lexical, places),
        dense=_leg(legs.dense, places),
        document=_document_leg(legs.documents, union.values()),
        memory=_votes(memory, places),
    )
    weight = profile.document_weight if legs.documents else 0.0
    recalled = memory_weight(profile, memory)
    contribution = _reciprocal_rank if profile.fusion == "rrf" else _normalised
    scores = alpha * contribution(found.lexical) + (1 - alpha) * contribution(found.dense)
    scores = (1 - weight) * scores + weight * found.document.normalised
    scores = np.where(found.headings, scores * profile.heading_weight, scores)
    scores = (1 - recalled) * scores + recalled * found.memory.normalised
    return found.in_order(scores)


def memory_weight(profile: Profile, memory: Sequence[Candidate]) -> float:
    """Return the weight of the memory for one question, 0 to the profile's own weight w.

    With the best vote v it is w·v / (1 - w + w·v): candidates are ordered as by (1 - w)·S + w·vote,
    and scores stay what they are where no known question resembles the asked one.
    """
    best = max((one.score for one in memory), default=0.0)
    share = profile.memory_weight * best
    return share / (1 - profile.memory_weight + share) if share else 0.0


def _leg(candidates: Sequence[Candidate], places: Mapping[Key, int]) -> LegColumns:
    raw = [candidate.score for candidate in candidates]
    at = [places[candidate.key] for candidate in candidates]
    return LegColumns.of(len(places), at, raw, min_max(raw))


def _votes(memory: Sequence[Candidate], places: Mapping[Key, int]) -> LegColumns:
    raw = [candidate.score for candidate in memory]
    best = max(raw, default=0.0) or 1.0
    at = [places[candidate.key] for candidate in memory]
    return LegColumns.of(len(places), at, raw, [score / best for score in raw])


def _document_leg(
    documents: Sequence[tuple[str, float]], candidates: Collection[Candidate]
) -> LegColumns:
    """Return what the leg of whole documents said of each candidate's document."""
    raw = [score for _, score in documents]
    ranks = {name: rank for rank, (name, _) in enumerate(documents)}
    found = [
        (place, ranks[candidate.document_id])
        for place, candidate in enumerate(candidates)
        if candidate.document_id in ranks
    ]
    at, which = [place for place, _ in found], [rank for _, rank in found]
    normalised = min_max(raw)
    return LegColumns.of(
        len(candidates),
        at,
        [raw[rank] for rank in which],
        [normalised[rank] for rank in which],
        [rank + 1 for rank in which],
    )


def _normalised(leg: LegColumns) -> NDArray[np.float64]:
    return leg.normalised


def _reciprocal_rank(leg: LegColumns) -> NDArray[np.float64]:
    # Scaled so that the first place of every leg gives 1, as the other fusions do.
    return np.where(leg.proposed, (RRF_K + 1) / (RRF_K + leg.rank), 0.0)
