"""Wall-clock time of the command line as people start it: a new process each time."""

from __future__ import annotations

from statistics import median

from tqdm import trange

from benchmarks.child import Finished, run
from benchmarks.figures import Figure

MOST_SECONDS_SEARCH = 1.0
MOST_SECONDS_HELP = 0.3
LIBRARIES = "import numpy, onnxruntime, tantivy, pydantic"
"""What no search does without."""


def cold_figures(index: str, question: str, runs: int) -> list[Figure]:
    """Run `rirag search` and `rirag --help`, one after the other, several times."""
    searches, helps, libraries = [], [], []
    for _ in trange(runs, unit="run", leave=False):
        searches.append(run("-m", "rirag", "search", question, "--index", index))
        helps.append(run("-m", "rirag", "--help"))
        libraries.append(run("-c", LIBRARIES))
    return [
        Figure("rirag search", _median(searches), "s", MOST_SECONDS_SEARCH),
        Figure("rirag search, least", min(one.seconds for one in searches), "s"),
        Figure("rirag search, CPU", median(one.cpu_seconds for one in searches), "s"),
        Figure("floor: libraries imported", _median(libraries), "s"),
        Figure("rirag search / floor", _median(searches) / _median(libraries), "×"),
        Figure("rirag --help", _median(helps), "s", MOST_SECONDS_HELP),
        Figure("rirag --help, least", min(one.seconds for one in helps), "s"),
    ]


def _median(runs: list[Finished]) -> float:
    return median(one.seconds for one in runs)
