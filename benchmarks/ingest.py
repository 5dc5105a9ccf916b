"""Cost of an ingest against the encoder's own: python -m benchmarks.ingest SOURCE.

The source is loaded twice into a new index, each time in a process of its own; in between the
encoder alone encodes the same texts. The second load must find nothing to do.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.child import job
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report

MOST_TIMES_THE_ENCODER = 1.15
MOST_SECONDS_UNCHANGED = 3.0
MOST_MIB = 700


def main() -> None:
    """Run the loads and the encoder, and print what they took."""
    arguments = parser(__doc__)
    arguments.add_argument("source", type=Path, help="file or folder, as for rirag ingest")
    arguments.add_argument("--scratch", type=Path, help="where the index is made for the time")
    options = arguments.parse_args()
    source = options.source.resolve()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        index = Path(folder) / "index"
        first = job("ingest_jobs", "ingest", source, index)
        alone = job("ingest_jobs", "encode", source)
        again = job("ingest_jobs", "ingest", source, index)
    details = {"first": first, "encoder_alone": alone, "unchanged": again}
    report(f"ingest of {source.name}", figures(first, alone, again), options.json, **details)


def figures(first: dict[str, Any], alone: dict[str, Any], again: dict[str, Any]) -> list[Figure]:
    """Return the figures of the three processes."""
    seconds, inside = first["seconds"], first["encoder_seconds"]
    return [
        Figure("passages", first["passages"]),
        Figure("texts encoded", first["encoded"]),
        Figure("whole ingest", seconds, "s"),
        Figure("  encoder inside it", inside, "s"),
        Figure("  all else", seconds - inside, "s"),
        Figure("encoder alone, same texts", alone["seconds"], "s"),
        Figure("ingest / encoder inside it", seconds / inside, "×", MOST_TIMES_THE_ENCODER),
        Figure("ingest / encoder alone", seconds / alone["seconds"], "×", MOST_TIMES_THE_ENCODER),
        Figure("the same in CPU time", first["cpu_seconds"] / alone["cpu_seconds"], "×"),
        Figure("texts a second", first["encoded"] / seconds, "1/s"),
        Figure("unchanged run", again["seconds"], "s", MOST_SECONDS_UNCHANGED),
        Figure("unchanged run, texts encoded", again["encoded"], "", 0),
        Figure("peak memory", first["memory"]["peak"], "MiB", MOST_MIB),
        Figure("peak memory, unchanged run", again["memory"]["peak"], "MiB", MOST_MIB),
        Figure("peak memory, encoder alone", alone["memory"]["peak"], "MiB"),
        Figure("index on disk", first["index_bytes"] / 2**20, "MiB"),
    ]


if __name__ == "__main__":
    start(main)
