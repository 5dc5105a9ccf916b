"""What each part of a search is worth: python -m benchmarks.first_day_parts INDEX QUESTIONS.

Each question is put to the index once with the whole pipeline and once without each part, and the
share of its gold among the first 50 and 10 hits and at the first place is printed. QUESTIONS is a
file as `benchmarks.first_day` reads it. Title and headings before the text, and the encoder, are
parts of the index: measure an index made without them beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tqdm import tqdm

import search
from benchmarks.command import start
from benchmarks.figures import Figure, report
from benchmarks.first_day import Asked, given, means, options_of, recall
from search.pipeline import Pipeline
from search.ranking.profiles import AlphaStep, Profile
from search.ranking.steps.protocol import Search

DEPTHS = (50, 10, 1)
WHOLE = "everything"
MIDDLE_LENGTH = 15
"""Words of the question whose lexical weight stands in for the adaptive one."""


def _unchanged(prepared: Search) -> Search:
    return prepared


class Variant(NamedTuple):
    """One way to search."""

    profile: Profile
    prepared: Callable[[Search], Search] = _unchanged
    """What is done to a question before the engine is asked."""


def main() -> None:
    """Ask all questions in every variant and print where their gold is."""
    options = options_of(__doc__)
    with search.open(options.index) as index:
        profile, asked, _ = given(options, index)
        found = measured(index.pipeline, variants(profile), asked)
    figures = [
        Figure(f"{name}, among {depth}", share)
        for name, shares in found.items()
        for depth, share in zip(DEPTHS, shares, strict=True)
    ]
    report("parts of a search", figures, options.json)


def variants(profile: Profile) -> dict[str, Variant]:
    """Return name → how to search: the whole pipeline first, then without each part."""
    trees = replace(profile, learned="")
    one_alpha = (AlphaStep(profile.alpha_for(MIDDLE_LENGTH)),)
    return {
        WHOLE: Variant(profile),
        "no learned ranking": Variant(trees),
        "no adaptive weight": Variant(replace(profile, alpha=one_alpha, alpha_shape="steps")),
        "no documents' rank": Variant(replace(profile, document_weight=0.0)),
        "headings count in full": Variant(replace(profile, heading_weight=1.0)),
        "no named documents": Variant(profile, _without_documents),
        "no parts of words": Variant(profile, _without_parts),
        "no weight for other languages": Variant(replace(profile, alpha_unread=0.0)),
        "words alone": Variant(replace(trees, alpha=(AlphaStep(1.0),), alpha_shape="steps")),
        "vectors alone": Variant(
            replace(trees, alpha=(AlphaStep(0.0),), alpha_shape="steps", alpha_unread=0.0)
        ),
    }


def measured(
    pipeline: Pipeline, ways: Mapping[str, Variant], asked: Sequence[Asked]
) -> dict[str, tuple[float, ...]]:
    """Return variant → the mean share of gold at each of `DEPTHS`."""
    rows: dict[str, list[list[float]]] = {name: [] for name in ways}
    for one in tqdm(asked, unit="question", leave=False):
        for name, (profile, change) in ways.items():
            prepared = change(pipeline.prepare(one.text, profile, None))
            result = pipeline.finish(pipeline.find(prepared), max(DEPTHS))
            ids = [hit.id for hit in result.hits]
            rows[name].append([recall(ids[:depth], one.gold) for depth in DEPTHS])
    return means(rows)


def _without_documents(prepared: Search) -> Search:
    return replace(prepared, question=replace(prepared.question, documents=()))


def _without_parts(prepared: Search) -> Search:
    tokens = prepared.question.tokens if prepared.request.tokens else ()
    return replace(prepared, request=replace(prepared.request, tokens=tokens))


if __name__ == "__main__":
    start(main)
