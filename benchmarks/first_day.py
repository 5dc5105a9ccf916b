"""Where right passages are lost: python -m benchmarks.first_day INDEX QUESTIONS.

Each question is put to the index, and the share of its gold that is among the first 200, 50 and 10
candidates, and the first one, is counted after each retriever and step, by style of question.
QUESTIONS is a file as `rirag evaluate retrieval` reads it, or one of a desk, whose gold names a
provision by file and number; gold of a file that the index does not hold is left out and counted.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, TypeVar

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from rirag_workbench.evaluation.statistics import spread
from search.pipeline import Pipeline
from search.provisions.numbering import lookup_keys
from search.ranking.profiles import Profile
from search.records import Filters, Passage

T = TypeVar("T")

DEPTHS = (200, 50, 10, 1)
STEPS = ("lexical", "dense", "fused", "final")
"""Retrievers, their fusion, and what a user sees."""

Gold = tuple[frozenset[str], ...]
"""For each right passage or provision the `ID`s of the passages that count for it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the file, and what answers it."""

    text: str
    style: str
    gold: Gold


def main() -> None:
    """Ask all questions and print where their gold is."""
    options = options_of(__doc__)
    with search.open(options.index) as index:
        profile, asked, missing = given(options, index)
        found = measured(index, profile, asked)
    figures = [Figure("gold that the index does not hold", missing)]
    figures += [
        Figure(f"{style}, {step}, among {depth}", share)
        for (style, step), shares in found.items()
        for depth, share in zip(DEPTHS, shares, strict=True)
    ]
    print(table(found))
    report("first day", figures, options.json)


def options_of(description: str | None) -> Namespace:
    """Return the options of a benchmark that puts questions to an index."""
    arguments = parser(description)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, help="so many questions, spread evenly")
    arguments.add_argument("--profile", default="default")
    return arguments.parse_args()


def given(options: Namespace, index: search.Index) -> tuple[Profile, list[Asked], int]:
    """Return the profile, the questions to ask, and how much gold the index lacks."""
    profile = index.pipeline.profile(options.profile)
    asked, missing = read(options.questions, index.passages())
    return profile, spread(asked, options.limit), missing


def read(path: Path, passages: Sequence[Passage]) -> tuple[list[Asked], int]:
    """Return the questions that have gold in the index, and how much gold it lacks."""
    ids = {passage.id for passage in passages}
    made, missing = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        gold = [
            frozenset({relevant} & ids)
            if isinstance(relevant, str)
            else provision(relevant, passages)
            for relevant in one.get("relevant") or ()
        ]
        there = tuple(filter(None, gold))
        missing += len(gold) - len(there)
        if there:
            made.append(Asked(one["question"], one.get("style", "question"), there))
    return made, missing


def provision(gold: Mapping[str, Any], passages: Iterable[Passage]) -> frozenset[str]:
    """Return the passages of a file that have a unit's number, or one below it, or its heading."""
    units = gold["unit"] if isinstance(gold["unit"], list) else [gold["unit"]]
    keys = {key for unit in units for key in lookup_keys(unit)}
    words = {unit.casefold() for unit in units}

    def below(passage: Passage) -> bool:
        headed = not words.isdisjoint(map(str.casefold, passage.breadcrumb))
        return headed or _begins(passage.passage_id, keys)

    here = (p for p in passages if PurePath(p.source.rpartition(":")[0]).name == gold["document"])
    return frozenset(passage.id for passage in here if below(passage))


def _begins(number: str, keys: set[str]) -> bool:
    below = tuple(f"{key}/" for key in keys)
    return any(key in keys or key.startswith(below) for key in lookup_keys(number))


def measured(
    index: search.Index, profile: Profile, asked: Sequence[Asked]
) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return (style, step) → the mean share of gold at each of `DEPTHS`."""
    pipeline = index.pipeline
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    shares: defaultdict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for one in tqdm(asked, unit="question", leave=False):
        ranked = {step: [ids[key] for key in keys] for step, keys in steps(pipeline, profile, one)}
        ranked["final"] = [
            hit.id for hit in index.search(one.text, max(DEPTHS), profile=profile).hits
        ]
        for step in STEPS:
            row = [recall(ranked[step][:depth], one.gold) for depth in DEPTHS]
            for style in ("all", one.style):
                shares[style, step].append(row)
    return means(shares)


def steps(
    pipeline: Pipeline, profile: Profile, asked: Asked
) -> Iterable[tuple[str, Sequence[int]]]:
    """Yield the keys that each retriever and their fusion propose, best first."""
    found = pipeline.find(pipeline.prepare(asked.text, profile, None))
    yield "lexical", [one.key for one in found.results.lexical]
    yield "dense", [one.key for one in found.results.dense]
    yield "fused", pipeline.ordered(found).fused.keys.tolist()


def recall(ids: Sequence[str], gold: Gold) -> float:
    """Return the share of the gold of which some passage is there."""
    return sum(bool(one.intersection(ids)) for one in gold) / len(gold)


def means(shares: Mapping[T, Sequence[Sequence[float]]]) -> dict[T, tuple[float, ...]]:
    """Return the mean of each column of the rows of each name."""
    return {
        name: tuple(sum(column) / len(column) for column in zip(*rows, strict=True))
        for name, rows in shares.items()
    }


def table(found: Mapping[tuple[str, str], Sequence[float]]) -> str:
    """Return the shares as a table, a style and step a line."""
    lines = [f"{'':22}" + "".join(f"{depth:>8}" for depth in DEPTHS)]
    lines += [
        f"{style:12} {step:9}" + "".join(f"{share:8.3f}" for share in shares)
        for (style, step), shares in found.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    start(main)
