"""Fit the default fusion profile: python -m benchmarks.fit_profile INDEX QUESTIONS.

The legs of every question and of its keyword versions are run once; the weights are then chosen
on four fifths of the questions and reported on the validation fifth.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

import search
from rirag.evaluation.questions import read_questions
from rirag.training.grid import is_validation
from rirag.training.keywords import keyword_versions
from rirag.training.legs import LegSample
from rirag.training.profile import fit_profile, quality_of
from rirag.training.rarity import Rarity
from search.pipeline import Pipeline
from search.profiles import load_profile
from search.records import Filters

COMPARED = ("default", "bdd-finlegal", "even", "lexical", "dense")
VERSIONS_OF_EACH = 3
"""Keyword versions of a question that are used, of some seven that are made."""


def main() -> None:
    """Run the legs, fit, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--json", type=Path, help="write the report with its grid here")
    options = parser.parse_args()
    with search.open(options.index) as index:
        samples = list(leg_samples(index.pipeline, options.questions))
    fitted = fit_profile(samples)
    print(fitted.to_table())
    held_out = [sample for sample in samples if is_validation(sample.question_id)]
    for name in COMPARED:
        profile = load_profile(name)
        print(f"\n{name} on the validation questions")
        for least, below in ((1, 5), (5, 10), (10, 1000)):
            part = [sample for sample in held_out if least <= sample.words < below]
            quality = quality_of(part, profile.alpha_for, profile.document_weight)
            print(
                f"  {least:2}+ words  {quality.questions:5} questions  "
                f"R@10 {quality.recall:.4f}  AP@10 {quality.average_precision:.4f}"
            )
    if options.json:
        options.json.write_text(json.dumps(fitted.to_json(), indent=1), encoding="utf-8")


def leg_samples(pipeline: Pipeline, path: Path) -> Iterator[LegSample]:
    """Yield the candidates of each question and of some of its keyword versions."""
    questions = read_questions(path)
    rarity = Rarity.of([question.text for question in questions])
    ids = {c.key: (p.id, c.document_id) for c, p in pipeline.engine.find(Filters())}
    for question in tqdm(questions, unit="question"):
        relevant = frozenset(gold.id for gold in question.gold if gold.id)
        versions = keyword_versions(question.question_id, question.text, rarity)
        step = max(1, len(versions) // VERSIONS_OF_EACH)
        for text in (question.text, *(version.text for version in versions[::step])):
            yield leg_sample(pipeline, question.question_id, text, relevant, ids)


def leg_sample(
    pipeline: Pipeline,
    question_id: str,
    text: str,
    relevant: frozenset[str],
    ids: dict[int | str, tuple[str, str]],
) -> LegSample:
    """Run the legs of one question."""
    prepared = pipeline.prepare(text, load_profile("default"), None)
    legs = pipeline.engine.run(prepared.request)
    both = (*legs.lexical, *legs.dense)
    return LegSample(
        question_id=question_id,
        words=prepared.question.words,
        relevant=relevant,
        lexical={ids[one.key][0]: one.score for one in legs.lexical},
        dense={ids[one.key][0]: one.score for one in legs.dense},
        documents=dict(legs.documents),
        document_of={ids[one.key][0]: one.document_id for one in both},
    )


if __name__ == "__main__":
    main()
