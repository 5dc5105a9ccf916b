"""The honest answer where the evidence does not do: why, and what came nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generation.filter import LEAST_SHOWN, FilterResult, readable_hits, short_of
from generation.mode import Draft
from generation.records import RefusedBy
from generation.text.labels import citation_label, distinct_labels, heading_label
from search.records import Hit

NEAREST = 3
"""How many passages are named as a hint: as many as a person looks up."""


def insufficient_draft(
    hits: Sequence[Hit], result: FilterResult, unfound: Sequence[str] = ()
) -> Draft:
    """Return an answer for a filter that left nothing: it claims nothing and names the nearest."""
    nearest = readable_hits(hits)[:NEAREST]
    if unfound:
        return refusal(f"{'; '.join(unfound)}.", "no-such-rule", nearest)
    if not nearest:
        return refusal("no passage matches this question.", "no-passages", ())
    if result.is_unanswerable and result.answerable is not None:
        floor = result.settings.min_answerable
        reason = (
            "no passage seems to answer this question (the probability is "
            f"{short_of(result.answerable, floor)}, the minimum is {floor:.2f})."
        )
        shown = nearest if result.answerable >= LEAST_SHOWN else ()
        return refusal(reason, "answerable", shown)
    best, floor = nearest[0], result.settings.min_score
    by: RefusedBy = "floor"
    reason, value = "close enough to this question to answer it (the best one scores", best.score
    if result.settings.score == "relevance" and best.relevance is not None:
        by, value = "relevance", best.relevance
        reason = "likely enough to answer this question (the best one has a probability of"
    reason = f"no passage is {reason} {short_of(value, floor)}, the minimum is {floor:.2f})."
    return refusal(reason, by, nearest)


def refusal(reason: str, refused_by: RefusedBy, nearest: Sequence[Hit]) -> Draft:
    """Return an answer that claims nothing.

    The reason begins in lower case; of the passages nearest, a few are named as a hint.
    """
    text = f"Insufficient evidence: {reason}"
    if nearest:
        text += "\n\nNearest passages, not used:\n" + "\n".join(_hints(nearest[:NEAREST]))
    return Draft(text, insufficient_evidence=True, refused_by=refused_by)


def _hints(hits: Sequence[Hit]) -> Iterator[str]:
    labels = distinct_labels(hit.passage for hit in hits)
    for hit in hits:
        named = citation_label(hit.passage, labels[hit.passage.document_id])
        heading = heading_label(hit.passage)
        yield f"- {named} ({heading})" if heading else f"- {named}"
