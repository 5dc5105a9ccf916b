"""What the server costs and withstands, against the targets of its load table.

python -m benchmarks.serving INDEX [--only PART…] [--searches N] [--callers N] [--json FILE]

The index is copied: nothing of it changes. Take the figures on a machine that does nothing else.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from benchmarks.serving.alone import one_caller, pages
from benchmarks.serving.crowd import crowd
from benchmarks.serving.server import served
from benchmarks.serving.streams import streams
from benchmarks.serving.team import team

PARTS = ("alone", "pages", "team", "crowd", "streams")
MOST_START_S = 2.0


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("index", type=Path, help="folder of an index")
    options.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART",
                         help=f"parts to measure: {', '.join(PARTS)} (all)")  # fmt: skip
    options.add_argument("--searches", type=positive, default=20_000, metavar="N",
                         help="searches of all callers (20,000)")  # fmt: skip
    options.add_argument("--callers", type=positive, default=64, metavar="N", help="callers (64)")
    options.add_argument("--people", type=positive, default=32, metavar="N",
                         help="people of the team (32)")  # fmt: skip
    options.add_argument("--streams", type=positive, default=32, metavar="N",
                         help="streamed answers at once (32)")  # fmt: skip
    options.add_argument("--rounds", type=positive, default=200, metavar="N",
                         help="searches of one caller (200)")  # fmt: skip
    given = options.parse_args()
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        index, data = Path(folder) / "index", Path(folder) / "data"
        shutil.copytree(given.index, index)
        with served(index, data):
            pass  # the first start writes byte code
        with served(index, data) as server:
            found.append(Figure("start to a good /readyz", server.ready_s, "s", MOST_START_S))
            if "alone" in given.only:
                found += one_caller(server, index, given.rounds)
            if "pages" in given.only:
                found += pages(server)
            if "team" in given.only:
                found += team(server, given.people)
            if "crowd" in given.only:
                found += crowd(server, index, given.callers, given.searches)
        if "streams" in given.only:
            found += streams(index, data, given.streams)
    report("server", found, given.json, callers=given.callers, searches=given.searches)


if __name__ == "__main__":
    start(main)
