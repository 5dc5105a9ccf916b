"""Learned ranking: let small trees put the best fused candidates in order, for a reranker to read.

It stands aside where it was not fitted, and the plan says why.
"""

from __future__ import annotations

from dataclasses import replace

from search.ranking.learned.features import candidate_columns, first_rows
from search.ranking.learned.learned_fusion import (
    NO_JUDGEMENT,
    LearnedFusion,
    Variant,
    final_scores,
    load_learned_fusion,
)
from search.ranking.steps.protocol import Search

ASIDE = "learned ranking not applied: "
"""How the note begins that says why it has no say."""


def run(search: Search) -> Search:
    """Return the search with what fitted models look at, and in the order of the trees."""
    fused, answered = search.fused, search.recalled.answered
    with search.timed("order"):
        if reason := _not_judged(search):
            return search.noted(stood_aside=(reason,))
        if not len(fused):
            return search
        features = candidate_columns(fused, search.question.words, search.terms, answered)
        search = replace(search, judgement=replace(NO_JUDGEMENT, features=features))
        return _in_learned_order(search) if search.profile.learned else search


def not_fitted_for(retrievers: frozenset[str]) -> str:
    """Return why a model does not hold for these retrievers, as a sentence."""
    named = {"memory": "answered questions", "rerank": "a reranker"}
    those = " and ".join(named[one] for one in sorted(retrievers))
    return f"it was not fitted for {those or 'the lexical and the dense retriever alone'}"


def _not_judged(search: Search) -> str:
    """Return why no fitted model looks at the candidates; empty: they do, or there are none."""
    found = {"lexical": search.fused.lexical, "dense": search.fused.dense}
    silent = [name for name, one in found.items() if len(search.fused) and not one.proposed.any()]
    if silent:
        return f"fitted models not applied: the {silent[0]} retriever found nothing"
    unread = "fitted models not applied: the encoder hardly reads the language of the question"
    return unread if search.unread and len(search.fused) else ""


def _in_learned_order(search: Search) -> Search:
    profile, fused, judgement = search.profile, search.fused, search.judgement
    model, retrievers = load_learned_fusion(profile.learned), search.retrievers()
    # Trees that know no votes leave these to be added below.
    variant = model.variant(retrievers) or model.variant(retrievers - {"memory"})
    reason = _objection(model, variant, search)
    if variant is None or reason:
        return search.noted(stood_aside=(ASIDE + reason,))
    before = fused.scores[: model.candidates]
    rows = first_rows(judgement.features, len(before), variant.trees.looked_at)
    learned = final_scores(variant, rows, before)
    if "memory" in retrievers - variant.retrievers:
        share, votes = search.trace.votes_weight, fused.memory.normalised[: len(before)]
        learned = learned._replace(score=(1 - share) * learned.score + share * votes)
    ranking = search.ranking.reordered(search.ranking.places[: len(before)], learned.score)
    judgement = replace(judgement, rows=rows, learned=learned, variant=variant)
    return replace(search, ranking=ranking, judgement=judgement).noted(
        learned=f"{len(variant.trees.feature)} trees order the best {len(before)}, "
        f"weight {variant.weight:.2f}"
    )


def _objection(model: LearnedFusion, variant: Variant | None, search: Search) -> str:
    """Return why learned ranking is not applied, as a sentence; empty: it is."""
    fitted_for, words = model.fitted_for, search.question.words
    if reason := fitted_for.objection(search.revision, words, search.profile.depth):
        return reason
    if not fitted_for.knows(search.opened.names.titles):
        return "it was fitted on other documents"
    passages = search.opened.engine.describe().passages
    if passages < fitted_for.least_passages:
        return (
            f"it applies to indexes of {fitted_for.least_passages:,} passages or more, and this "
            f"one has {passages:,}"
        )
    if variant is None:
        return not_fitted_for(search.retrievers())
    if words < variant.least_words:
        least = variant.least_words
        return f"it applies to questions of {least} words or more, and this one has {words}"
    return ""
