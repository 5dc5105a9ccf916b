"""Time of a search by stage and by retriever, in turns with its floors on the same questions.

    python -m benchmarks.stages INDEX QUESTIONS LIMIT

The process that `benchmarks.latency` starts; it prints JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

import search
from benchmarks import floors
from benchmarks.command import question_texts, start
from benchmarks.figures import Figure
from benchmarks.timing import interleaved, latencies, summed
from rirag_workbench.evaluation.retrieval.run import Latency
from search.engines.protocol import RetrievalRequest
from search.ranking.profile_file import load_profile

MOST_TIMES_THE_FLOORS = 1.5
MOST_MILLISECONDS = 15.0
ONE_BLAS_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Environment for this process: on a busy machine a second thread makes numpy's dot product five
times slower, and a slow floor would flatter the search (which does not use BLAS)."""


def main() -> None:
    """Measure and print the figures as JSON."""
    url, questions, limit = sys.argv[1:]
    with search.open(url, reranker=None) as index:
        figures = stage_figures(index, question_texts(Path(questions), int(limit)))
    print(json.dumps({"figures": [asdict(figure) for figure in figures]}))


def stage_figures(index: search.Index, questions: list[str]) -> list[Figure]:
    """Time the whole search, its stages, its retrievers and the floors on the same questions."""
    stages: dict[str, dict[str, float]] = {}

    def whole(question: str) -> None:
        trace = index.search(question, rerank=False).trace
        stages[question] = dict(trace.milliseconds)

    alone = floors.floors(index.url, index.pipeline.encoder, questions)
    times = interleaved({"whole": whole, **alone, **single_retrievers(index, questions)}, questions)
    floor = summed(times[name] for name in alone)
    p50 = {name: latency.p50 for name, latency in latencies(times).items()}
    all_, least = Latency.of(times["whole"]), Latency.of(floor)
    return [
        Figure("whole search", all_.p50, "ms", MOST_MILLISECONDS),
        Figure("whole search, p95", all_.p95, "ms"),
        *stage_rows(stages, questions, times["whole"]),
        Figure("floors together", least.p50, "ms"),
        Figure("floors together, p95", least.p95, "ms"),
        *(Figure(f"  floor: {name}", p50[name], "ms") for name in alone),
        Figure("whole / floors", all_.p50 / least.p50, "×", MOST_TIMES_THE_FLOORS),
        Figure("whole / floors, p95", all_.p95 / least.p95, "×"),
        *(Figure(name, p50[name], "ms") for name in p50 if name.startswith("retriever alone")),
    ]


def stage_rows(
    stages: Mapping[str, Mapping[str, float]], questions: list[str], whole: list[float]
) -> list[Figure]:
    """Return p50 of each stage as the plan tells it, and of what no stage accounts for."""
    names = dict.fromkeys(name for times in stages.values() for name in times)
    taken = {name: [t[name] for t in stages.values() if name in t] for name in names}
    # The plan kept is that of a question's last search, which is the one timed.
    taken["none of them"] = [
        milliseconds - sum(stages[question].values())
        for question, milliseconds in zip(questions, whole, strict=True)
    ]
    return [
        Figure(f"  stage: {name} ({len(times)} questions)", Latency.of(times).p50, "ms")
        for name, times in taken.items()
    ]


def single_retrievers(
    index: search.Index, questions: list[str]
) -> dict[str, Callable[[str], object]]:
    """Return the engine's retrievers one by one, on requests prepared beforehand."""
    profile = load_profile("default")
    requests = {q: index.pipeline.prepare(q, profile, None).request for q in questions}
    engine = index.pipeline.engine

    def retriever(
        change: Callable[[RetrievalRequest], RetrievalRequest],
    ) -> Callable[[str], object]:
        changed = {question: change(request) for question, request in requests.items()}
        return lambda question: engine.run(changed[question])

    return {
        "retriever alone: lexical": retriever(lambda r: replace(r, vector=None, documents=False)),
        "retriever alone: dense": retriever(lambda r: replace(r, tokens=(), documents=False)),
        "retriever alone: lexical and documents": retriever(lambda r: replace(r, vector=None)),
    }


if __name__ == "__main__":
    start(main)
