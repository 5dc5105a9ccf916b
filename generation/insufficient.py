"""The honest answer where the filter leaves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from generation.filter import FilterResult
from generation.labels import breadcrumb_label, citation_label
from generation.modes.protocol import Draft
from search.records import Hit

NEAREST = 3
"""How many passages are named as a hint: as many as a person looks up."""


def insufficient_draft(hits: Sequence[Hit], result: FilterResult) -> Draft:
    """Return an answer that claims nothing and names the nearest passages."""
    nearest = [hit for hit in hits if hit.text.strip()][:NEAREST]
    if not nearest:
        text = "Insufficient evidence: no passage was found that bears on this question."
        return Draft(text, insufficient_evidence=True)
    if result.is_unanswerable:
        text = (
            "Insufficient evidence: nothing here seems to answer this question (the probability "
            f"is {result.answerable:.2f}, the floor is {result.settings.min_answerable:.2f}).\n\n"
            "Nearest, but not relied on:\n"
        )
        return Draft(text + "\n".join(map(_hint, nearest)), insufficient_evidence=True)
    text = (
        "Insufficient evidence: no passage bears on this question closely enough to answer from "
        f"it (the best one scores {nearest[0].score:.2f}, the floor is "
        f"{result.settings.min_score:.2f}).\n\nNearest, but not relied on:\n"
    )
    return Draft(text + "\n".join(map(_hint, nearest)), insufficient_evidence=True)


def _hint(hit: Hit) -> str:
    heading = breadcrumb_label(hit.passage)
    named = f"{citation_label(hit.passage)} ({heading})" if heading else citation_label(hit.passage)
    return f"- {named}, score {hit.score:.2f}"
