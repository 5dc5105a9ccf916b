"""Memory of a process that searches: python -m benchmarks.memory INDEX QUESTIONS."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, question_texts, start
from benchmarks.figures import Figure, report
from benchmarks.memory_use import memory_use

MOST_MIB = 350


def main() -> None:
    """Open an index, search, and print what is resident before and after."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, default=200, help="how many questions")
    options = arguments.parse_args()
    questions = question_texts(options.questions, options.limit)
    bare = memory_use()
    with search.open(options.index, reranker=None) as index:
        opened = memory_use()
        for question in tqdm(questions, unit="question", leave=False):
            index.search(question)
        used = memory_use()
    figures = [
        Figure("peak, searching", used.peak, "MiB", MOST_MIB),
        Figure("resident, before the index is opened", bare.resident or bare.peak, "MiB"),
        Figure("resident, index open", opened.resident or opened.peak, "MiB"),
        Figure("resident, after the searches", used.resident or used.peak, "MiB"),
    ]
    if used.anonymous is not None and used.mapped is not None:
        figures.append(Figure("  anonymous", used.anonymous, "MiB"))
        figures.append(Figure("  mapped files", used.mapped, "MiB"))
    details = {"before": asdict(bare), "opened": asdict(opened), "after": asdict(used)}
    report(f"memory of {len(questions)} searches", figures, options.json, **details)


if __name__ == "__main__":
    start(main)
