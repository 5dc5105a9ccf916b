"""Time of a search by stage, against its floors: python -m benchmarks.latency INDEX QUESTIONS.

The floors (query encoding, tantivy, a numpy dot product, each alone) take turns with the whole
search and with single retrievers, question by question. Then several callers search at once, the
command line is started cold, and a process that only searches is weighed.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path

import search
from benchmarks.child import job, run
from benchmarks.cold import cold_figures
from benchmarks.command import parser, positive, question_texts, start
from benchmarks.figures import Figure, print_table, read_figures, report
from benchmarks.stages import ONE_BLAS_THREAD
from benchmarks.throughput import with_asyncio, with_threads

CALLERS = (1, 4, 16)


def main() -> None:
    """Measure, and print table by table."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, default=300, help="how many questions")
    arguments.add_argument("--runs", type=positive, default=7, help="how many cold processes")
    arguments.add_argument("--searches", type=positive, default=400, help="per number of callers")
    options = arguments.parse_args()
    questions = question_texts(options.questions, options.limit)
    asked = (options.index, options.questions, len(questions))
    with search.open(options.index, reranker=None) as index:
        found = job("stages", *asked, environment=ONE_BLAS_THREAD)
        stages = [Figure(**fields) for fields in found["figures"]]
        print_table(f"one search at a time, {len(questions)} questions, p50 of each", stages)
        callers = caller_figures(index, questions, options.searches)
        print_table("several callers at once", callers)
    cold = cold_figures(options.index, questions[0], options.runs)
    print_table(f"cold process, {options.runs} runs", cold)
    memory = memory_figures(*asked)
    print_table("a process that only searches", memory)
    everything = [*stages, *callers, *cold, *memory]
    report(
        "what has a target",
        [figure for figure in everything if figure.target is not None],
        options.json,
        all=[asdict(figure) for figure in everything],
    )


def caller_figures(index: search.Index, questions: list[str], searches: int) -> list[Figure]:
    """Measure searches a second with 1, 4 and 16 callers."""
    figures = []
    for callers in CALLERS:
        for measure in (with_threads, with_asyncio):
            result = measure(index, questions, callers, searches)
            name = f"{callers} callers, {result.kind}"
            figures.append(Figure(name, result.per_second, "searches/s"))
            figures.append(Figure(f"  {name}, p50", result.latency.p50, "ms"))
            figures.append(Figure(f"  {name}, p95", result.latency.p95, "ms"))
    return figures


def memory_figures(index: str, questions: Path, limit: int) -> list[Figure]:
    """Weigh a process that opens the index and searches."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.json"
        options = ["--limit", str(limit), "--json", str(path)]
        run("-m", "benchmarks.memory", index, str(questions), *options)
        return read_figures(path)


if __name__ == "__main__":
    start(main)
