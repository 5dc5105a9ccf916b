"""The engines beside one another: python -m benchmarks.engines INDEX QUESTIONS --server URL….

Every server gets the passages and the very vectors of an embedded INDEX, under the name that its
URL ends in (an index of that name is replaced, and deleted at the end). Then the same questions go
to all of them: what the retrievers find, how good the whole search is, and how long it takes
beside the bare requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import search
from benchmarks.command import parser, positive, start
from benchmarks.engine_agreement import agreement
from benchmarks.engine_load import BULK_SHARE, Loaded, copy_index, drop, raw_bulk
from benchmarks.engine_quality import quality
from benchmarks.engine_times import request_figures
from benchmarks.figures import Figure, print_table, report
from benchmarks.throughput import with_asyncio
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread
from search.records import Filters

MOST_QUALITY_DIFFERENCE = 0.004
CALLERS = (1, 16)
TURNS = 4


def main() -> None:
    """Load every server, compare, and print table by table."""
    arguments = parser(__doc__)
    arguments.add_argument("index", help="folder of an embedded index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--server", action="append", required=True, metavar="URL")
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    arguments.add_argument("--timed", type=positive, default=200, help="questions that are timed")
    arguments.add_argument("--searches", type=positive, default=400, help="per number of callers")
    options = arguments.parse_args()
    figures: list[Figure] = []
    with ExitStack() as opened:
        embedded = opened.enter_context(search.open(options.index, reranker=None))
        servers = {}
        for url in options.server:
            opened.callback(drop, url)
            figures += load_figures(embedded, url)
            servers[url] = opened.enter_context(search.open(url, reranker=None))
        figures += compare(embedded, servers, options.questions, options.limit)
        questions = [one.text for one in read_questions(options.questions)]
        for url, index in servers.items():
            timed = spread(questions, options.timed)
            figures += time_figures(index, url, timed, options.searches)
    report(
        "what has a target",
        [figure for figure in figures if figure.target is not None],
        options.json,
        all=[asdict(figure) for figure in figures],
    )


def load_figures(embedded: search.Index, url: str) -> list[Figure]:
    """Load a server, in turns with the client library's own bulk helper; the best of each counts.

    Who begins changes every turn, for a server that has just started grows faster with its work.
    """
    ours: list[Loaded] = []
    alone: list[float] = []
    for turn in range(TURNS):
        if turn % 2:
            alone.append(raw_bulk(embedded, url))
        ours.append(copy_index(embedded, url))
        if not turn % 2:
            alone.append(raw_bulk(embedded, url))
    best = max(ours, key=lambda one: one.bulk_per_second)
    figures = [
        Figure("whole load, passages a second", best.per_second, "1/s"),
        Figure("  its bulk requests", best.bulk_per_second, "1/s"),
        Figure("streaming_bulk of the library, same bodies", max(alone), "1/s"),
        Figure(
            "bulk / streaming_bulk", best.bulk_per_second / max(alone), "×", BULK_SHARE,
            higher_is_better=True,
        ),
        Figure("on disk, a passage", best.bytes / best.passages, "bytes"),
    ]  # fmt: skip
    print_table(f"load: {url}", figures)
    return _named(url, figures)


def compare(
    embedded: search.Index, servers: dict[str, search.Index], path: Path, limit: int | None
) -> list[Figure]:
    """Ask all engines the same questions; compare retrievers and measures."""
    passages = [passage for _, passage in embedded.pipeline.engine.find(Filters())]
    judged = resolve_gold(spread(read_questions(path), limit), resolver(passages), path)
    mine = quality(embedded, judged)
    print_table("embedded", [Figure(name, value) for name, value in mine.items()])
    figures = [Figure(f"embedded: {name}", value) for name, value in mine.items()]
    for url, index in servers.items():
        theirs = quality(index, judged)
        rows = [
            *agreement(embedded, index, list(judged.texts.values())),
            *(Figure(name, value) for name, value in theirs.items()),
            *(
                Figure(
                    f"{name}, difference to embedded", abs(theirs[name] - mine[name]), "",
                    MOST_QUALITY_DIFFERENCE,
                )
                for name in mine
            ),
        ]  # fmt: skip
        print_table(f"agreement: {url}, {len(judged.texts)} questions", rows)
        figures += _named(url, rows)
    return figures


def time_figures(
    index: search.Index, url: str, questions: Sequence[str], searches: int
) -> list[Figure]:
    """Time single searches beside the bare requests, then many callers at once."""
    rows = request_figures(index, questions)
    for callers in CALLERS:
        found = with_asyncio(index, list(questions), callers, searches)
        rows.append(Figure(f"{callers} callers, asyncio", found.per_second, "searches/s"))
        rows.append(Figure(f"  p50 of {callers} callers", found.latency.p50, "ms"))
        rows.append(Figure(f"  p95 of {callers} callers", found.latency.p95, "ms"))
    print_table(f"times: {url}", rows)
    return _named(url, rows)


def _named(url: str, figures: Sequence[Figure]) -> list[Figure]:
    product = url.partition("+")[0]
    return [
        Figure(f"{product}: {one.name.strip()}", one.value, one.unit, one.target,
               one.higher_is_better)
        for one in figures
    ]  # fmt: skip


if __name__ == "__main__":
    start(main)
