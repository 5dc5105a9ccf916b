"""What other words for a question bring: python -m benchmarks.search_help INDEX QUESTIONS.

`questions/search_help.jsonl` has what a strong model wrote for 120 training questions, from the
questions alone: everyday words over thirteen acts, a folder of mixed documents, headings of the
CFR, and ADGM. QUESTIONS has their texts and their gold, as `benchmarks.first_day` reads it. Each
is searched with the formulations at several weights; 0 is the question alone, 1 the formulations
alone. With `--useless` the formulations of another question are given, as a bad model would.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

import search
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.first_day import Asked, read, recall

HELP = Path(__file__).resolve().parent / "questions" / "search_help.jsonl"
WEIGHTS = (0.0, 0.4, 0.5, 0.6, 0.7, 1.0)
K = 10


def main() -> None:
    """Ask the questions that have formulations and print R@10 and RR@10 by weight."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--useless", action="store_true", help="formulations of others")
    options = arguments.parse_args()
    rows = [json.loads(line) for line in HELP.read_text(encoding="utf-8").splitlines()]
    written = {row["question_id"]: row["formulations"] for row in rows}
    given = [json.loads(line) for line in options.questions.read_text("utf-8").splitlines()]
    texts = {
        row["question"]: written[row["question_id"]]
        for row in given
        if row["question_id"] in written
    }
    with search.open(options.index, reranker=None) as index:
        asked = [one for one in read(options.questions, index.passages())[0] if one.text in texts]
        shown = [texts[one.text] for one in asked]
        if options.useless:
            shown = [*shown[1:], *shown[:1]]
        figures = [Figure("questions", len(asked))]
        for weight in WEIGHTS:
            found, first = measured(index, weight, asked, shown)
            figures += [
                Figure(f"R@{K}, weight {weight:.1f}", found),
                Figure(f"RR@{K}, weight {weight:.1f}", first),
            ]
    report("search help", figures, options.json)


def measured(
    index: search.Index, weight: float, asked: Sequence[Asked], formulations: Sequence[list[str]]
) -> tuple[float, float]:
    """Return the mean recall and reciprocal rank at a weight of the formulations."""
    profile = index.pipeline.profile("default")
    profile = replace(profile, help_weight=weight)
    found = first = 0.0
    for one, texts in tqdm(zip(asked, formulations, strict=True), total=len(asked), leave=False):
        hits = index.search(one.text, K, profile=profile, formulations=texts).hits
        ids = [hit.id for hit in hits]
        found += recall(ids, one.gold)
        right = frozenset().union(*one.gold)
        first += next((1 / rank for rank, key in enumerate(ids, 1) if key in right), 0.0)
    return found / len(asked), first / len(asked)


if __name__ == "__main__":
    start(main)
