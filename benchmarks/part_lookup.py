"""Whether parts are found by the names that models give them: python -m benchmarks.part_lookup.

The names of `benchmarks/questions/part_names.jsonl` were written by hand, as models name parts of
three acts: the first ones to develop with, the others, written afterwards, to report. A name counts
when it gives exactly the passages meant, all of them and no others (bare headings aside), or an
error where there is no such part. DATA holds the folders `ai-act`, `crr` and `lcr-da`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import indexer
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from generation.delegate.part_index import PartIndex
from generation.delegate.parts import MissingPart, Part, PartFinder
from search.errors import InputError
from search.records import DocumentSummary, Passage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "eu"
NAMES = Path(__file__).resolve().parent / "questions" / "part_names.jsonl"
ACTS = {
    "ai": "ai-act/2026-07-27.fmx4.xml",
    "crr": "crr/2023-06-28.json",
    "lcr": "lcr-da/2022-07-08.fmx4.xml",
}
"""How the file of names calls an act → where it is."""

LEAST_SHARE = 0.98


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a name gave."""

    id: str
    half: str
    name: str
    is_right: bool
    found: str
    """Numbers of the first and last passage of each part, or the error."""


def main() -> None:
    """Look up every name, print the share that is right per half, and what is not."""
    arguments = parser(__doc__)
    arguments.add_argument("data", type=Path, nargs="?", default=DATA)
    options = arguments.parse_args()
    outcomes = look_up_all(read_acts(options.data), NAMES)
    wrong = [one for one in outcomes if not one.is_right]
    for one in wrong:
        print(f"{one.id} ({one.half}): {one.name}\n    gave {one.found}")
    failures = [asdict(one) for one in wrong]
    report("part lookup", figures(outcomes), options.json, failures=failures)


def read_acts(data: Path) -> dict[str, list[Passage]]:
    """Return the passages of each act by its name in the file."""
    acts = {}
    for name, file in ACTS.items():
        if not (data / file).is_file():
            raise InputError("there is no such file; name the folder of the acts", data / file)
        acts[name] = list(indexer.read([data / file]))
    return acts


def look_up_all(acts: Mapping[str, Sequence[Passage]], path: Path) -> list[Outcome]:
    """Look up each name of a file."""
    summaries = {
        name: DocumentSummary(ps[0].document_id, ps[0].document_title, len(ps))
        for name, ps in acts.items()
    }
    indices = {name: PartIndex(ps) for name, ps in acts.items()}
    by_id = {summaries[name].document_id: index for name, index in indices.items()}
    finder = PartFinder(list(summaries.values()), by_id)
    asked = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [_outcome(finder, indices, summaries, one) for one in asked]


def figures(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Return the share that is right in each half; the target is for the one to report."""
    made = []
    for half in ("develop", "report"):
        of_half = [one for one in outcomes if one.half == half]
        share = sum(one.is_right for one in of_half) / max(len(of_half), 1)
        target = LEAST_SHARE if half == "report" else None
        made += [
            Figure(f"names to {half}", len(of_half)),
            Figure(f"right, {half}", share, "", target, higher_is_better=True),
        ]
    return made


def _outcome(
    finder: PartFinder,
    indices: Mapping[str, PartIndex],
    summaries: Mapping[str, DocumentSummary],
    asked: Mapping[str, Any],
) -> Outcome:
    document = asked["document"] and summaries[asked["document"]].document_id
    parts = finder.find(asked["name"], document)
    missing = [part.problem for part in parts if isinstance(part, MissingPart)]
    found = _texts(p for part in parts if isinstance(part, Part) for p in part.passages)
    wanted = _texts(p for item in asked["parts"] for p in _meant(indices, item))
    is_right = found == wanted and not missing if asked["parts"] else bool(missing)
    spans = [
        f"{part.passages[0].passage_id} to {part.passages[-1].passage_id}"
        for part in parts
        if isinstance(part, Part)
    ]
    return Outcome(asked["id"], asked["half"], asked["name"], is_right, "; ".join(spans + missing))


def _texts(passages: Iterable[Passage]) -> set[str]:
    return {passage.id for passage in passages if passage.kind != "heading"}


def _meant(indices: Mapping[str, PartIndex], item: Sequence[str]) -> list[Passage]:
    act, first, last = item
    index = indices[act]
    numbered: dict[str, Passage] = {}
    for passage in index.passages:
        numbered.setdefault(passage.passage_id, passage)
    return index.between(numbered[first], numbered[last])


if __name__ == "__main__":
    start(main)
