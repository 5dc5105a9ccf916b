"""Fit which statement answers: python -m benchmarks.sentence_selector --set INDEX=QUESTIONS … --output FILE.

QUESTIONS are lines of `{"question_id", "question", "relevant": [ID, …]}`, with `key`, the words that
answer, where they are known. Each is asked of its index. A unit answers when it is of a relevant
passage and, where there is a key, has its words. FILE gets trees in the form of
`generation/extract/scorer.json`, fitted on all questions. The figures are of documents that the
trees were not fitted on, beside the order of the search.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from generation import IndexLibrary
from generation.extract.score import (
    MOST_COMPARED,
    NAMES,
    Array,
    Scorer,
    features_of,
    shortened,
    with_meaning,
)
from generation.extract.units import units_in
from generation.filter import readable_hits
from generation.modes.extractive import MOST_READ
from generation.verify.compare.words import folded
from rirag.files import read_text, refuse_output, sha256_of, write_text
from rirag.inputs.gold import resolver
from rirag.inputs.json_records import json_records
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.spread import spread
from rirag_workbench.training.fitted.tree_growth import TreeSettings, grow_trees
from search.errors import InputError
from search.text.analyzer import tokens

SETTINGS = TreeSettings(trees=200, depth=3, learning_rate=0.08, least_in_leaf=40)
MOST_FOLDS = 5
IN_RELEVANT = 0.3
"""Weight of units of a relevant passage without the words that answer: these may answer too."""

RISING = ("share", "own share", "heading share", "passage share", "pairs", "time asked",
          "amount asked", "meaning asked", "similarity")  # fmt: skip
FALLING = ("share below best", "score below best", "log rank", "similarity below best")
"""Features that can only speak for a unit, and against it."""

Which = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Units:
    """Units found for a question."""

    document: str
    """Of the first relevant passage."""
    features: Array
    """Shape (units, features)."""
    plain: Array
    """The same as if none were compared in meaning."""
    hits: NDArray[np.intp]
    relevant: Which
    """Whether each is of a relevant passage."""
    holds: Which
    """Whether each answers."""


def main() -> None:
    """Ask, fit, print how often the best unit answers, and write the trees."""
    arguments = parser(__doc__)
    arguments.add_argument("--set", action="append", required=True, type=_set, dest="sets",
                           metavar="INDEX=QUESTIONS")  # fmt: skip
    arguments.add_argument("--output", type=Path, metavar="FILE", required=True,
                           help="where the trees go (JSON)")  # fmt: skip
    arguments.add_argument("--limit", type=positive, help="questions of each set, spread evenly")
    options = arguments.parse_args()
    refuse_output(options.output, "the trees", [path for _, path in options.sets])
    read = [list(units_of(index, path, options.limit)) for index, path in options.sets]
    found = [one for units in read for one in units]
    rows = [*figures("order of the search", [(-one.hits.astype(float), one) for one in found]),
            *figures("scorer", held_out(found))]  # fmt: skip
    content = {
        "fitted": {
            "date": time.strftime("%Y-%m-%d"),
            "sha256": {path.name: sha256_of(path) for _, path in options.sets},
            "questions": len(found),
            **{row.name: f"{row.value:.1f} %" for row in rows},
        },
        **fit(found),
    }
    write_text(options.output, json.dumps(content) + "\n", "the trees")
    report("the statement that answers", rows, options.json)


def units_of(index_path: str, path: Path, limit: int | None) -> Iterator[Units]:
    """Ask the questions of a file; yield what an answer would choose from, where it has an answer.

    Raises:
        InputError: the file or the index cannot be used.
    """
    keys = {record["question_id"]: record.get("key", "")
            for _, record in json_records(read_text(path), [])}  # fmt: skip
    with search.open(index_path) as index:
        library = IndexLibrary(index)
        passages = index.passages()
        known, resolve = {one.id: one.document_id for one in passages}, resolver(passages)
        for question in tqdm(spread(read_questions(path), limit), disable=None):
            gold = [one for one in map(resolve, question.gold) if one is not None]
            hits = readable_hits(index.search(question.text, 2 * MOST_READ).hits)[:MOST_READ]
            if any(hit.id in gold for hit in hits):
                key = folded(str(keys.get(question.question_id, "")))
                yield _units(question.text, hits, gold, key, library, known[gold[0]])


def _units(
    question: str, hits: Sequence[search.Hit], gold: Sequence[str], key: str,
    library: IndexLibrary, document: str,
) -> Units:  # fmt: skip
    candidates = units_in(hits)
    plain = features_of(question, candidates, hits, library.rarities(tokens(question)))
    relevant = np.array([hits[one.hit].id in gold for one in candidates], bool)
    holds = np.array([key in folded(one.unit.text) for one in candidates], bool) & relevant
    features, likeliest = plain.copy(), _by_share(plain)[:MOST_COMPARED]
    texts = [shortened(candidates[place].unit) for place in likeliest]
    with_meaning(features, likeliest, np.array(library.similarities(question, texts)))
    return Units(document, features, plain, np.array([one.hit for one in candidates]), relevant,
                 holds if holds.any() else relevant)  # fmt: skip


def _by_share(features: Array) -> NDArray[np.intp]:
    """Return units in an order that needs no trees: by their words, and the search."""
    share, passage, rank = (features[:, NAMES.index(name)]
                            for name in ("share", "passage share", "log rank"))  # fmt: skip
    return np.argsort(rank - share - passage, kind="stable")


def fit(units: Sequence[Units]) -> dict[str, object]:
    """Fit trees, and return them in the form that `Scorer.read` reads."""
    rows = np.vstack([table for one in units for table in (one.features, one.plain)])
    answers = np.concatenate([one.holds for one in units for _ in range(2)])
    # Each question counts alike, however many units were found for it.
    weights = np.concatenate([_weights(one) for one in units for _ in range(2)])
    directions = [1 if name in RISING else -1 if name in FALLING else 0 for name in NAMES]
    columns = range(len(NAMES))
    trees, base = grow_trees(
        rows, answers, weights, columns, SETTINGS, "Fitting the scorer", directions
    )
    return {"base": base, "trees": trees.to_json()}


def _weights(one: Units) -> NDArray[np.float64]:
    beside = one.relevant & ~one.holds
    return np.asarray(np.where(beside, IN_RELEVANT, 1.0) / np.sqrt(len(one.holds)))


def held_out(units: Sequence[Units]) -> list[tuple[Array, Units]]:
    """Return the questions with the log-odds by trees fitted on other documents.

    Raises:
        InputError: all questions are of one document.
    """
    counted = [document for document, _ in Counter(one.document for one in units).most_common()]
    if len(counted) < 2:
        raise InputError(
            f"The search finds answers in {len(counted)} document; give questions over two or more "
            "documents.",
            code="evaluation.invalid",
        )
    judged = []
    for place in range(min(MOST_FOLDS, len(counted))):
        fold = set(counted[place::MOST_FOLDS])
        scorer = Scorer.of(fit([one for one in units if one.document not in fold]))
        judged += [(scorer.log_odds(one.features), one) for one in units if one.document in fold]
    return judged


def figures(name: str, judged: Sequence[tuple[Array, Units]]) -> list[Figure]:
    """Return how often the best unit is of a relevant passage, and answers, in per cent."""
    best = [(int(np.argmax(odds)), one) for odds, one in judged]
    right = 100 * float(np.mean([one.relevant[place] for place, one in best]))
    answers = 100 * float(np.mean([one.holds[place] for place, one in best]))
    return [Figure(f"{name}: first of a relevant passage", right, "%"),
            Figure(f"{name}: first answers", answers, "%")]  # fmt: skip


def _set(text: str) -> tuple[str, Path]:
    index, _, questions = text.rpartition("=")
    if not (index and questions):
        raise argparse.ArgumentTypeError("write INDEX=QUESTIONS")
    return index, Path(questions)


if __name__ == "__main__":
    start(main)
