"""Fit the order of candidates on several rulebooks at once:

    python -m benchmarks.order_elsewhere INDEX QUESTIONS [INDEX QUESTIONS …] --output FILE

QUESTIONS are files as `rirag evaluate retrieval` reads them.
FILE is the learned step of a profile for other documents. Its trees look at absolute
scores and at the question as well, since they have seen several rulebooks, and it is tied to the
documents of none. The figures are of documents that the trees did not learn from, beside the order
of the default profile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from rirag.files import named_hash, refuse_output
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread
from rirag_workbench.training.data.held_out import hash_number
from rirag_workbench.training.data.questions_to_fit import QuestionToFit
from rirag_workbench.training.figures import Gain
from rirag_workbench.training.fitted.candidate_samples import (
    CANDIDATES,
    CandidateSample,
    Origin,
    candidate_samples,
)
from rirag_workbench.training.fitted.learned_fusion import gain_of
from rirag_workbench.training.fitted.trees import FALLING, RISING, TreeSettings, grow_trees
from search.errors import InputError
from search.ranking.learned.features import GROUPS, NAMES, Array
from search.ranking.learned.learned_fusion import LearnedFusion, Variant, final_scores
from search.ranking.profiles import Profile

FOLDS = 3
SETTINGS = TreeSettings(trees=150, depth=4, learning_rate=0.08, least_in_leaf=100)
WEIGHT = 0.7
"""Share of the trees in the final score: with more of them a desk of mixed documents loses."""
EXPONENT = 1.0
"""Of the final score. So the score filter of an answer keeps 2.0 to 2.3 passages a question, and
1.7 under the fixed weights; with the root it would keep 5 to 7."""

LEAST_PASSAGES = 1000
"""Of the smallest index that the step applies to: it was measured on 4,000 and more, and in a small
one the ranks and spreads of 200 candidates are those of the whole index."""

_KEPT_OUT = {*GROUPS["memory"], *GROUPS["together"], *GROUPS["rerank"], "memory near", "best votes"}
USED = tuple(name for name in NAMES if name not in _KEPT_OUT)
_UP = {*RISING, "lexical per term", "cosine"}
_DIRECTIONS = [1 if name in _UP else -1 if name in FALLING else 0 for name in USED]

Samples = Sequence[tuple[str, CandidateSample]]
"""Name of the question file, and what was found for one of its questions."""


def main() -> None:
    """Ask all questions, print what trees gain on documents left out, and write the step."""
    arguments = parser(__doc__)
    arguments.add_argument("sources", nargs="+", help="index and questions, in turn")
    arguments.add_argument("--output", type=Path, metavar="FILE", required=True)
    arguments.add_argument("--limit", type=positive, help="questions of each file, spread evenly")
    options = arguments.parse_args()
    if len(options.sources) % 2:
        raise InputError("give a file of questions behind each index", code="evaluation.invalid")
    files = [Path(one) for one in options.sources[1::2]]
    refuse_output(options.output, "the learned step", files)
    samples: list[tuple[str, CandidateSample]] = []
    for url, file in zip(options.sources[::2], files, strict=True):
        with search.open(url) as index:
            origin = Origin(index.pipeline.encoder)
            profile = index.pipeline.profile("default")
            profile = replace(profile, learned="")
            samples += asked(index, file, profile, options.limit)
    parts = held_out(samples)
    fitted_for = origin.fitted_for(profile.depth, (one.words for _, one in samples))
    fitted_for = fitted_for.model_copy(update={"least_passages": LEAST_PASSAGES})
    record = {
        "data": [named_hash(one) for one in files],
        "date": time.strftime("%Y-%m-%d"),
        "questions": len(samples),
        "profile": profile.name,
        "settings": asdict(SETTINGS),
        "report": {name: asdict(found) for name, found in parts.items()},
    }
    step = LearnedFusion(fitted_for, CANDIDATES, (grown(samples),), record)
    step.save(options.output)
    rows = [
        Figure(f"{name}: {label}", value)
        for name, found in parts.items()
        for label, value in (("R@10 before", found.before.recall), ("R@10", found.after.recall),
                             ("AP@10 before", found.before.average_precision),
                             ("AP@10", found.after.average_precision), ("p", found.p_value))
    ]  # fmt: skip
    report("the order of candidates elsewhere", rows, options.json)


def asked(
    index: search.Index, file: Path, profile: Profile, limit: int | None
) -> Iterator[tuple[str, CandidateSample]]:
    """Yield what an index finds for the questions of a file, without answered questions.

    Raises:
        InputError: the file cannot be used.
    """
    passages = index.passages()
    judged = resolve_gold(read_questions(file), resolver(passages), file)
    known = {passage.id for passage in passages}
    questions = [
        QuestionToFit(one, text, judged.relevant[one], "question")
        for one, text in judged.texts.items()
        if judged.relevant[one] & known
    ]
    pipeline = replace(index.pipeline, answered_questions=None)
    chosen = spread(questions, limit)
    with tqdm(total=len(chosen), disable=None) as bar:
        for sample in candidate_samples(pipeline, chosen, lambda _: profile, {}, bar.update):
            yield file.stem, sample[frozenset()]


def grown(samples: Samples, settings: TreeSettings = SETTINGS) -> Variant:
    """Return trees that were grown from some samples.

    The answers of a question weigh as much as their root, for a question with ten would otherwise
    teach as much as ten others.
    """
    useful = [one for _, one in samples if one.answers.any()]
    columns = [NAMES.index(name) for name in USED]
    rows = np.vstack([one.rows[:, columns] for one in useful])
    answers = np.concatenate([one.answers for one in useful])
    weights = [np.full(len(one.answers), one.answers.sum() ** -0.5) for one in useful]
    trees, bias = grow_trees(
        rows, answers, np.concatenate(weights), columns, settings,
        "Fitting a learned step", _DIRECTIONS,
    )  # fmt: skip
    return Variant(frozenset(), trees, bias, WEIGHT, exponent=EXPONENT)


def held_out(samples: Samples, settings: TreeSettings = SETTINGS) -> dict[str, Gain]:
    """Return for each file how trees order the questions on documents that they did not see."""
    folds = [hash_number(one.document) % FOLDS for _, one in samples]
    after: list[Array] = [one.before for _, one in samples]
    for fold in sorted(set(folds)):
        trees = grown([one for one, at in zip(samples, folds, strict=True) if at != fold], settings)
        for place, (_, one) in enumerate(samples):
            if folds[place] == fold:
                after[place] = final_scores(trees, one.rows, one.before).score
    alone = [one for _, one in samples]
    found = {}
    for file in dict.fromkeys(name for name, _ in samples):
        chosen = [place for place, (name, _) in enumerate(samples) if name == file]
        for length, least, most in ((" of 1-4 words", 0, 4), ("", 5, 10**6)):
            places = [place for place in chosen if least <= alone[place].words <= most]
            if places:
                found[file + length] = gain_of(alone, after, places)
    return found


if __name__ == "__main__":
    start(main)
