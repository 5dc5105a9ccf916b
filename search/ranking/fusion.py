"""Bring the retrievers together: pure functions over candidates, without engine or encoder.

Rules for the odd cases, each tested:
- a retriever without candidates contributes nothing;
- a retriever whose candidates all have one score (or that has a single one) gives each of them 1;
- a candidate that a retriever did not propose scores 0 there, as the retriever's last candidate
  does;
- where headings count less, the others are measured by the best of their own, or by a share of the
  best heading's score; headings above that get 1;
- equal fused scores keep the order of the lexical, then of the dense retriever, then of the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from search.candidates import NO_CANDIDATES, Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.candidate_set import FusedCandidates, RetrieverColumns
from search.ranking.profiles import Profile
from search.records import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_GUIDANCE, _HEADING = KINDS.index("guidance"), KINDS.index("heading")

HEADING_MEASURE = 0.7
"""Share of a heading's score that other passages are measured by. None at all would make them look
good where a heading alone has the words of the question."""

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack et al., SIGIR 2009)."""


def min_max(
    scores: Sequence[float] | NDArray[Any], headings: NDArray[np.bool_] | None = None
) -> Array:
    """Scale a retriever's scores to 0…1 (RIRAG, eq. 5); all equal: 1 each.

    Args:
        scores: of the candidates.
        headings: which of them are only headings, where these count less: one of them is what the
            others are measured by with a share of its score alone (`HEADING_MEASURE`).
            "Prohibited AI practices" is nearer to the same words of a question than any rule below
            it can be, and would make all of them look bad.
    """
    given = np.asarray(scores, np.float64)
    if not len(given):
        return given
    if headings is not None and not headings.all():
        given = np.minimum(given, max(given[~headings].max(), HEADING_MEASURE * given.max()))
    low, high = given.min(), given.max()
    return np.ones(len(given)) if high == low else (given - low) / (high - low)


def fuse(
    results: RetrievalResults,
    profile: Profile,
    alpha: float,
    memory: Candidates = NO_CANDIDATES,
    formulated: Candidates = NO_CANDIDATES,
) -> FusedCandidates:
    """Return all candidates of the retrievers and of the memory, best first.

    With s the normalised scores: S = alpha·s_lexical + (1 - alpha)·s_dense (BDD-FinLegal, eq. 1),
    then (1 - w)·S + w·s_document with the document weight w (RIRAG, appendix A.7), the heading
    weight as a factor on passages that are only headings, and last (1 - m)·S + m·s_memory with the
    weight m that `votes_weight` gives, where s_memory is a vote divided by the best one.

    Args:
        retrievers: what the engine found.
        profile: kind of fusion, and the weights of headings, documents and memory.
        alpha: weight of the lexical retriever, 0 to 1.
        memory: passages that answered similar questions, scored by their votes.
        formulated: what formulations of the question found, 0 to 1; they propose here, and weigh
            in `search.ranking.steps.ordering.other_words`.
    """
    union, (at_lexical, at_dense, at_memory, at_formulated) = _union(
        results.lexical, results.dense, memory, formulated
    )
    size, best_vote = len(union), memory.scores.max(initial=0.0) or 1.0
    names, documents = _distinct(union.document_ids.tolist())
    found = FusedCandidates(
        keys=union.keys,
        document_ids=union.document_ids,
        documents=documents,
        headings=union.kinds == _HEADING,
        guidance=union.kinds == _GUIDANCE,
        scores=np.zeros(size),
        lexical=_retriever_columns(size, at_lexical, results.lexical, profile),
        dense=_retriever_columns(size, at_dense, results.dense, profile),
        document=_document_columns(results.documents, names, documents),
        memory=RetrieverColumns.of(size, at_memory, memory.scores, memory.scores / best_vote),
        help=RetrieverColumns.of(size, at_formulated, formulated.scores, formulated.scores),
    )
    weight = profile.document_weight if results.documents else 0.0
    recalled = votes_weight(profile, memory)
    contribution = _reciprocal_rank if profile.fusion == "rrf" else _normalised
    scores = alpha * contribution(found.lexical) + (1 - alpha) * contribution(found.dense)
    scores = (1 - weight) * scores + weight * found.document.normalised
    scores = np.where(found.headings, scores * profile.heading_weight, scores)
    scores = (1 - recalled) * scores + recalled * found.memory.normalised
    return found.in_order(scores)


def covered(alpha: float, whole: float, lexical: Candidates, terms: int) -> float:
    """Return the lexical weight of a question by how much of it the best passage says.

    Where the passages have other words than the question, BM25 knows little: its weight falls in
    proportion to the best score a term.

    Args:
        alpha: the weight by the question's length, 0 to 1.
        whole: score a term at which that counts in full; 0: it always does.
        lexical: what BM25 found.
        terms: index terms that it looked for, with repetitions.
    """
    if not (whole and len(lexical)):
        return alpha
    return alpha * min(1.0, float(lexical.scores[0]) / max(terms, 1) / whole)


def votes_weight(profile: Profile, memory: Candidates) -> float:
    """Return the weight of the memory for one question, 0 to the profile's own weight w.

    With the best vote v it is w·v / (1 - w + w·v): candidates are ordered as by (1 - w)·S + w·vote,
    and scores stay what they are where no answered question resembles the asked one.
    """
    share = profile.votes_weight * float(memory.scores.max(initial=0.0))
    return share / (1 - profile.votes_weight + share) if share else 0.0


def _union(*results: Candidates) -> tuple[Candidates, list[NDArray[np.intp]]]:
    """Return every candidate once, at its first place, and each retriever's places there.

    The places of a retriever have the shape (its candidates,).
    """
    every = Candidates.joined(*results)
    _, begins, which = np.unique(every.keys, return_index=True, return_inverse=True)
    first = begins[which]
    fresh = first == np.arange(len(first))
    places = (fresh.cumsum() - 1).take(first)
    ends = list(accumulate(len(retriever) for retriever in results))
    return every.at(fresh.nonzero()[0]), [
        places[end - len(retriever) : end] for retriever, end in zip(results, ends, strict=True)
    ]


def _distinct(names: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return each name once, and for each of those given its place there."""
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return list(places), np.array([places[name] for name in names], np.intp)


def _retriever_columns(
    size: int, places: NDArray[np.intp], found: Candidates, profile: Profile
) -> RetrieverColumns:
    headings = found.kinds == _HEADING
    scaled = min_max(found.scores, headings if profile.heading_weight < 1 else None)
    return RetrieverColumns.of(size, places, found.scores, scaled)


def _document_columns(
    documents: Sequence[tuple[str, float]], names: Sequence[str], places: NDArray[np.intp]
) -> RetrieverColumns:
    """Return what the document retriever said of each candidate's document.

    Args:
        documents: what the retriever found, best first.
        names: DocumentIDs of the candidates, each once.
        places: in `names`, of each candidate.
    """
    ranks = {name: rank for rank, (name, _) in enumerate(documents, start=1)}
    rank = np.array([ranks.get(name, 0) for name in names], np.intp).take(places)
    proposed = rank.nonzero()[0]
    found = rank.take(proposed)
    raw = np.array([score for _, score in documents])
    scaled = min_max(raw)
    return RetrieverColumns.of(
        len(rank), proposed, raw.take(found - 1), scaled.take(found - 1), found
    )


def _normalised(retriever: RetrieverColumns) -> Array:
    return retriever.normalised


def _reciprocal_rank(retriever: RetrieverColumns) -> Array:
    # Scaled so that the first place of every retriever gives 1, as the other fusions do.
    return np.where(retriever.proposed, (RRF_K + 1) / (RRF_K + retriever.rank), 0.0)
