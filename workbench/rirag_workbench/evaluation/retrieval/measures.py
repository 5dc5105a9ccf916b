"""Retrieval measures in the notation of ir-measures, such as `nDCG@10`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from rirag_workbench.evaluation.retrieval.defaults import MEASURES
from rirag_workbench.evaluation.retrieval.runs import Run, trec_order
from search.errors import InputError

Values = Mapping[str, Mapping[str, float]]
"""measure → question_id → value."""


def parse_measures(text: str) -> tuple[str, ...]:
    """Return the measures named in a text, separated by white space, each once.

    Raises:
        InputError: a name is unknown, incomplete, or cannot be computed here.
    """
    names = tuple(dict.fromkeys(str(_parse(name)) for name in text.split()))
    if not names:
        raise InputError(
            f"no measure was given; give some, such as {MEASURES}.", code="measure.unknown"
        )
    return names


def deepest(measures: Sequence[str]) -> int:
    """Return how many passages of each question must be known for the measures' cut-offs.

    Args:
        measures: names in ir-measures notation; those without a cut-off, such as `AP`, are of what
            is kept anyhow.
    """
    return max((_parse(name).params.get("cutoff", 1) for name in measures), default=1)


def compute(relevant: Mapping[str, AbstractSet[str]], run: Run, measures: Sequence[str]) -> Values:
    """Compute measures for every judged question.

    Relevance is binary. A judged question that the run lacks, or for which it found nothing,
    gets 0; questions of the run without judgements are ignored.

    Args:
        relevant: question_id → IDs of its relevant passages.
        run: what was retrieved; sorted here the way trec_eval sorts.
        measures: names in ir-measures notation.
    """
    import ir_measures

    parsed = {_parse(name): name for name in measures}
    # Providers take no ID with a NUL, and some of them numbers only; they get places for IDs.
    questions = {str(place): question for place, question in enumerate(relevant)}
    qrels, ordered = {}, {}
    for place, question in questions.items():
        found = [passage for passage, _ in trec_order(run.get(question, ()))]
        places = {one: str(number) for number, one in enumerate((*found, *relevant[question]))}
        qrels[place] = {places[one]: 1 for one in relevant[question]}
        # They break ties differently: distinct scores in trec_eval's order make them agree.
        if found:
            ordered[place] = {places[one]: float(-rank) for rank, one in enumerate(found)}
    values = {name: dict.fromkeys(relevant, 0.0) for name in parsed.values()}
    for metric in ir_measures.iter_calc(list(parsed), qrels, ordered) if ordered else ():
        values[parsed[metric.measure]][questions[metric.query_id]] = float(metric.value)
    return values


def mean(values: Mapping[str, float]) -> float:
    """Return the mean over all questions, of which there must be one."""
    return math.fsum(values.values()) / len(values)


def _parse(name: str) -> Any:
    import ir_measures

    library: Any = ir_measures  # its functions have no types
    problem = f"{name!r} is not a supported measure; use names like {MEASURES}."
    try:
        measure = library.parse_measure(name)
        measure.validate_params()
        usable = library.DefaultPipeline.supports(measure)
    except (ValueError, NameError, TypeError, KeyError, AssertionError):
        raise InputError(problem, code="measure.unknown") from None
    cutoff = measure.params.get("cutoff", 1)
    relevance = measure.params.get("rel", 1)
    if not usable or not isinstance(cutoff, int) or min(cutoff, relevance) < 1:
        raise InputError(problem, code="measure.unknown")
    return measure
