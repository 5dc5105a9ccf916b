"""Fit which sentence answers: python -m benchmarks.sentence_selector INDEX QUESTIONS --output FILE.

QUESTIONS are lines of `{"question_id", "question", "relevant": [ID, …], "key"}`, where `key` is the
words of a relevant passage that answer; questions without it are left out. Each is asked of INDEX,
and a unit of what is found holds the answer when it is of a relevant passage and has these words.
FILE gets weights in the form of `generation/extract/scorer.json`, fitted on all questions. The
figures are of documents that the weights were not fitted on, beside the order by the share of the
question's words.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from generation import IndexLibrary
from generation.extract.score import (
    MEANING,
    MEANING_NAMES,
    NAMES,
    WORDS,
    Array,
    Scorer,
    features_of,
    likeliest_by_words,
    meaning_of,
    scorer,
)
from generation.extract.units import units_in
from generation.filter import readable_hits
from generation.modes.extractive import MOST_READ
from generation.statements.words import folded
from rirag.files import read_text, refuse_output, sha256_of, write_text
from rirag.inputs.gold import resolver
from rirag.inputs.json_records import json_records
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread
from search.errors import InputError, MissingDependencyError
from search.records import Passage
from search.text.analyzer import tokens

FIRST = (1, 3, 6)
"""How many units are looked at."""

MOST_FOLDS = 5
STRENGTH = 0.1
"""Inverse of the regularisation, over features of mean 0 and spread 1."""

Which = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Keyed:
    """A question, the words that answer it, and the passages that have them."""

    text: str
    key: str
    relevant: frozenset[str]
    document: str


@dataclass(frozen=True, slots=True)
class Units:
    """Units found for a question."""

    document: str
    """Of the relevant passage."""
    features: Array
    """Shape (units, features)."""
    holds: Which
    """Whether each holds the answer."""


def main() -> None:
    """Ask, fit, print how often the answer is among the first units, and write the weights."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path, nargs="+")
    arguments.add_argument("--output", type=Path, metavar="FILE", required=True,
                           help="where the weights go (JSON)")  # fmt: skip
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    options = arguments.parse_args()
    refuse_output(options.output, "the weights", options.questions)
    _regression()
    with search.open(options.index) as index:
        passages = {passage.id: passage for passage in index.passages()}
        keyed = [one for path in options.questions for one in keyed_questions(path, passages)]
        asked = spread(keyed, options.limit)
        library = IndexLibrary(index)
        read = [units_of(index, library, one) for one in tqdm(asked, disable=None)]
    found = {kind: [one[kind] for one in read if one[WORDS].holds.any() and kind in one]
             for kind in (WORDS, MEANING)}  # fmt: skip
    folds = folds_of([one.document for one in found[WORDS]])
    share = NAMES.index("share")
    by_words = [(one.features[:, share], one) for one in found[WORDS]]
    rows, weights = shares("share of words", by_words), {}
    for kind, units in found.items():
        if units:
            rows += shares(kind, held_out(units, kind, folds))
            weights[kind] = fit(units, kind)
    counts = {"questions with a key": len(asked), "the answer is in a unit": len(found[WORDS]),
              "documents": sum(map(len, folds)), "folds": len(folds)}  # fmt: skip
    fitted = {
        "date": time.strftime("%Y-%m-%d"),
        "sha256": {path.name: sha256_of(path) for path in options.questions},
        **counts,
        **{row.name: f"{row.value:.1f} %" for row in rows},
    }
    # An index whose encoder says nothing of meaning gives the same weights for both.
    content = {"fitted": fitted, **{k: weights.get(k, weights[WORDS]) for k in (MEANING, WORDS)}}
    write_text(options.output, json.dumps(content, indent=1) + "\n", "the weights")
    counted = [Figure(name, count) for name, count in counts.items()]
    report("the sentence that answers", [*counted, *rows], options.json)


def keyed_questions(path: Path, passages: Mapping[str, Passage]) -> list[Keyed]:
    """Return the questions of a file that have a key and a passage of the index.

    Raises:
        InputError: the file cannot be used.
    """
    resolve = resolver(passages.values())
    records = [record for _, record in json_records(read_text(path), [])]
    made = []
    for question, record in zip(read_questions(path), records, strict=True):
        key = record.get("key")
        known = [one for one in map(resolve, question.gold) if one is not None]
        if isinstance(key, str) and key.strip() and known:
            document = passages[known[0]].document_id
            made.append(Keyed(question.text, folded(key), frozenset(known), document))
    return made


def units_of(index: search.Index, library: IndexLibrary, asked: Keyed) -> dict[str, Units]:
    """Ask a question; return what an answer would choose from, for each kind of weights."""
    hits = readable_hits(index.search(asked.text, MOST_READ).hits)
    found = units_in(hits)
    features = features_of(asked.text, found, hits, library.rarities(tokens(asked.text)))
    holds = np.array(
        [hits[one.hit].id in asked.relevant and asked.key in folded(one.unit.text)
         for one in found], bool
    )  # fmt: skip
    likeliest = likeliest_by_words(scorer(WORDS).log_odds(features))
    compared = [found[i] for i in likeliest] if holds.any() else []
    meaning = meaning_of(asked.text, compared, library.similarities)
    units = {WORDS: Units(asked.document, features, holds)}
    if meaning is not None:
        both = np.hstack([features[likeliest], meaning])
        units[MEANING] = Units(asked.document, both, holds[likeliest])
    return units


def folds_of(documents: Sequence[str]) -> list[list[str]]:
    """Deal documents out, those with most questions first.

    Raises:
        InputError: all questions are of one document.
    """
    counted = [document for document, _ in Counter(documents).most_common()]
    if len(counted) < 2:
        raise InputError(
            f"The search finds the answers of {len(documents)} questions, in {len(counted)} "
            "documents; give questions with a key over two or more documents of the index.",
            code="evaluation.invalid",
        )
    count = min(MOST_FOLDS, len(counted))
    return [counted[place::count] for place in range(count)]


def held_out(
    units: Sequence[Units], kind: str, folds: Sequence[Sequence[str]]
) -> list[tuple[Array, Units]]:
    """Return the questions with the log-odds by weights fitted on the documents of other folds."""
    judged = []
    for fold in folds:
        data = {kind: fit([one for one in units if one.document not in fold], kind)}
        weights = Scorer.of(data, kind)
        judged += [(weights.log_odds(one.features), one) for one in units if one.document in fold]
    return judged


def fit(units: Sequence[Units], kind: str) -> dict[str, Any]:
    """Fit weights, and return them in the form that `Scorer.of` reads."""
    table = np.vstack([one.features for one in units])
    mean, scale = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    model = _regression()(C=STRENGTH, max_iter=1000)
    model.fit((table - mean) / scale, np.concatenate([one.holds for one in units]))
    # A constant feature gets no weight, whatever it is divided by.
    slopes = np.where(table.std(axis=0) > 1e-9, model.coef_[0] / scale, 0.0)
    names = (*NAMES, *MEANING_NAMES) if kind == MEANING else NAMES
    return {
        "weights": {name: round(float(one), 4) for name, one in zip(names, slopes, strict=True)},
        "intercept": round(float(model.intercept_[0] - (slopes * mean).sum()), 4),
    }


def shares(kind: str, judged: Sequence[tuple[Array, Units]]) -> list[Figure]:
    """Return how often the answer is among the first units, in per cent."""
    hits = [one.holds[np.argsort(-odds, kind="stable")] for odds, one in judged]
    return [
        Figure(f"{kind}: top {count}", 100 * float(np.mean([one[:count].any() for one in hits])),
               "%") for count in FIRST
    ]  # fmt: skip


def _regression() -> Any:
    """Return scikit-learn's class.

    Raises:
        MissingDependencyError: it is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingDependencyError("Fitting the sentence selector", "train") from None
    return LogisticRegression


if __name__ == "__main__":
    start(main)
