"""Wall-clock time of the command line as people start it: a new process each time."""

from __future__ import annotations

from statistics import median

from tqdm import trange

from benchmarks.child import run
from benchmarks.figures import Figure

MOST_SECONDS_SEARCH = 1.0
MOST_SECONDS_HELP = 0.3


def cold_figures(index: str, question: str, runs: int) -> list[Figure]:
    """Run `rirag search` and `rirag --help`, one after the other, several times."""
    searches, helps, bare = [], [], []
    for _ in trange(runs, unit="run", leave=False):
        searches.append(run("-m", "rirag", "search", question, "--index", index).seconds)
        helps.append(run("-m", "rirag", "--help").seconds)
        bare.append(run("-c", "import numpy, onnxruntime, tokenizers, tantivy").seconds)
    return [
        Figure("rirag search, median", median(searches), "s", MOST_SECONDS_SEARCH),
        Figure("rirag search, least", min(searches), "s"),
        Figure("python with its libraries imported, median", median(bare), "s"),
        Figure("rirag --help, median", median(helps), "s", MOST_SECONDS_HELP),
        Figure("rirag --help, least", min(helps), "s"),
    ]
