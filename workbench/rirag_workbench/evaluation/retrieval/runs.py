"""TREC run files: `question-id Q0 passage-id rank score tag`, one retrieved passage a line.

trec_eval keeps scores as 32-bit floats, breaks ties by passage ID, descending, and ignores the
rank column. Runs are written so that none of this can change their order, and read the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rirag.files import read_text, write_text
from rirag.inputs.json_records import Problem, refuse_if_any
from rirag_workbench.refusals import unusable

MEASURES = "R@10 AP@10 RR@10 nDCG@10 R@100"
"""Recall and MAP at 10 are those of the ObliQA paper (trec_eval's recall.10 and map_cut.10)."""

DEPTH = 100
"""Passages kept of each question, as TREC runs of passage retrieval usually do."""


Ranking = tuple[tuple[str, float], ...]
"""(passage ID, score), best first."""

Run = Mapping[str, Ranking]
"""question_id → what was retrieved for it."""


def trec_order(ranking: Sequence[tuple[str, float]]) -> Ranking:
    """Sort as trec_eval does: by 32-bit score, then by passage ID, both descending."""
    with np.errstate(over="ignore"):  # beyond 32 bits scores are infinite, to trec_eval too
        return tuple(sorted(ranking, key=lambda item: (np.float32(item[1]), item[0]), reverse=True))


def strictly_decreasing(ranking: Sequence[tuple[str, float]]) -> Ranking:
    """Keep the order given and lower scores, by as little as 32 bits allow, until all differ."""
    if len({passage for passage, _ in ranking}) < len(ranking):
        raise unusable("run.invalid/twice")
    scores: list[float] = []
    previous = np.float32(np.inf)
    for passage, score in ranking:
        if not math.isfinite(score):
            raise unusable("run.invalid/score", passage=passage, score=score)
        previous = min(np.float32(score), np.nextafter(previous, np.float32(-np.inf)))
        scores.append(float(previous))
    return tuple(zip((passage for passage, _ in ranking), scores, strict=True))


def write_run(path: Path, run: Run, depth: int = DEPTH) -> None:
    """Write a run file, complete or not at all."""
    lines = []
    refuse_white_space(run, path)
    for question, ranking in run.items():
        refuse_white_space((passage for passage, _ in ranking[:depth]), path)
        for rank, (passage, score) in enumerate(strictly_decreasing(ranking[:depth]), start=1):
            fields = (question, "Q0", passage, str(rank), f"{score:.9g}", "rirag")
            lines.append(" ".join(fields) + "\n")
    write_text(path, "".join(lines), "the run")


def refuse_white_space(ids: Iterable[str], path: Path) -> None:
    """Refuse IDs of questions or passages that a run file cannot hold."""
    for one in ids:
        if len(one.split()) != 1:
            raise unusable("run.invalid/white-space", path, one=one)


def read_run(path: Path) -> dict[str, Ranking]:
    """Read a run file; each ranking comes in trec_eval's order."""
    rankings: dict[str, dict[str, float]] = {}
    problems: list[Problem] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        problem = _problem(fields, rankings)
        if problem:
            problems.append((number, problem))
        else:
            rankings.setdefault(fields[0], {})[fields[2]] = float(fields[4])
    refuse_if_any(problems, path)
    return {question: trec_order(list(found.items())) for question, found in rankings.items()}


def _problem(fields: Sequence[str], rankings: Mapping[str, Mapping[str, float]]) -> str | None:
    if len(fields) != 6:
        return (
            "a line of a TREC run has six fields (question Q0 passage rank score "
            f"tag), but this one has {len(fields)}."
        )
    question, _, passage, _, score, _ = fields
    try:
        usable = math.isfinite(float(score))
    except ValueError:
        usable = False
    if not usable:
        return f"the score {score!r} is not a number."
    if passage in rankings.get(question, {}):
        return f"passage {passage!r} occurs twice for question {question!r}."
    return None
