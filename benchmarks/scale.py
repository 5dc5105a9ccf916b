"""Cost against corpus size: python -m benchmarks.scale SOURCE --sizes 13000 100000 1000000.

The source's documents are copied with their words shuffled until the size is reached, and get
random unit vectors, because embedding a million passages would take hours. Loading, searching and
checking run in processes of their own. With --server, indices are made there and deleted again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.child import job
from benchmarks.command import parser, positive, start
from benchmarks.engine_load import drop
from benchmarks.figures import Figure, print_table, report

SIZES = (13_000, 100_000, 1_000_000)
MOST_MILLISECONDS = 100.0
MIB = 2**20
QUESTIONS = Path(__file__).resolve().parent.parent / "examples" / "rulebook" / "questions.json"


def main() -> None:
    """Measure each size in turn."""
    arguments = parser(__doc__)
    arguments.add_argument("source", type=Path, help="file or folder, as for rirag ingest")
    arguments.add_argument("--sizes", type=positive, nargs="+", default=SIZES, metavar="N")
    arguments.add_argument("--questions", type=Path, default=QUESTIONS, help="whose words are used")
    arguments.add_argument("--limit", type=positive, default=100, help="how many questions")
    arguments.add_argument("--scratch", type=Path, help="where the indexes are made for the time")
    arguments.add_argument("--server", metavar="URL", help="index URL to which the size is added")
    options = arguments.parse_args()
    everything: list[Figure] = []
    details = {}
    for size in options.sizes:
        with temporary_index(options, size) as index:
            found = measure(options, size, index)
        figures = size_figures(found)
        print_table(f"{size:,} passages", figures)
        everything += [
            Figure(f"{size:,}: {one.name.strip()}", one.value, one.unit, one.target)
            for one in figures
        ]
        details[str(size)] = found
    report("what has a target", [f for f in everything if f.target], options.json, sizes=details)


@contextmanager
def temporary_index(options: Any, size: int) -> Iterator[str]:
    """Give the place of an index that is gone afterwards."""
    if options.server:
        url = f"{options.server}-{size}"
        try:
            yield url
        finally:
            drop(url)
        return
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        yield str(Path(folder) / "index")


def measure(options: Any, size: int, index: str) -> dict[str, dict[str, Any]]:
    """Run the jobs of one size."""
    asked = (options.questions, options.limit)
    return {
        "load": job("scale_jobs", "load", options.source, index, size),
        "search": job("scale_jobs", "search", index, *asked),
        "recall": job("scale_jobs", "recall", index, size, *asked),
    }


def size_figures(found: dict[str, dict[str, Any]]) -> list[Figure]:
    """Return the figures of one size."""
    load, search, recall = found["load"], found["search"], found["recall"]
    seconds, memory = load["seconds"], search["memory"]
    own = sum(seconds.values())
    passages = load["passages"]
    figures = [
        Figure("documents", load["documents"]),
        Figure("load", own, "s"),
        Figure("  documents staged", seconds["documents"], "s"),
        Figure("  vectors kept", seconds["vectors"], "s"),
        Figure("  commit", seconds["commit"], "s"),
        Figure("load, passages a second", passages / own, "1/s"),
        Figure("load, peak memory", load["process"]["peak"], "MiB"),
        Figure("on disk", load["bytes"] / MIB, "MiB"),
        Figure("on disk, a passage", load["bytes"] / passages, "bytes"),
        Figure("open", search["open_seconds"], "s"),
        Figure("search", search["search"]["p50"], "ms", MOST_MILLISECONDS),
        *(Figure(f"  stage: {name}", value, "ms") for name, value in search["stages"].items()),
        Figure("search, p95", search["search"]["p95"], "ms"),
        Figure("search in 10 documents", search["filtered"]["p50"], "ms"),
        Figure("search in 10 documents, p95", search["filtered"]["p95"], "ms"),
        Figure("floor: numpy dot product", search["dot"]["p50"], "ms"),
        Figure("search / floor", search["search"]["p50"] / search["dot"]["p50"], "×"),
        Figure("recall@100 against float32", recall["recall"]),
        Figure("  least of a question", recall["least"]),
        Figure("memory, searching", memory["resident"] or memory["peak"], "MiB"),
    ]
    if memory["anonymous"] is not None:
        figures.append(Figure("  anonymous", memory["anonymous"], "MiB"))
        figures.append(Figure("  mapped files", memory["mapped"], "MiB"))
    return figures


if __name__ == "__main__":
    start(main)
