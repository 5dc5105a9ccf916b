"""How well articles named in a text are read: python -m benchmarks.article_references QA.jsonl.

QA holds the Q&As of the EBA on the CRR; `questions/article_references.jsonl` says by hand which
articles their questions and backgrounds name, and of which act. What counts is each article of each
reference together with its act: a right article of a wrong act is one found too much and one
missed. The labels are the parser's own reading, corrected by a person who read every place with a
number beside a word for article; the half to develop was read before the parser was finished, the
half to report afterwards, and nothing was changed after that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from rirag_workbench.evaluation.articles import ArticleQuestion, read_article_questions
from search.articles.references import article_references
from search.errors import InputError

LABELS = Path(__file__).resolve().parent / "questions" / "article_references.jsonl"
HALVES = ("develop", "report")
ACT = "575/2013"
"""What the Q&As are about: the act of an article where nothing else is said."""

LEAST_PRECISION = 97.0
LEAST_RECALL = 95.0

Named = Counter[tuple[str, str]]
"""(act, article) → how often a text names it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A Q&A with what its question and background name."""

    qa_id: str
    part: str
    references: int
    named: Named


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the parser and the label differ."""

    qa_id: str
    act: str
    article: str
    side: str
    """`found` or `label`: who has it."""
    times: int


def main() -> None:
    """Compare one half, and print the figures with every difference."""
    arguments = parser(__doc__)
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--half", choices=HALVES, default="report")
    options = arguments.parse_args()
    labelled = [one for one in read_labels(LABELS) if one.part == options.half]
    asked = {one.qa_id: one for one in read_article_questions(options.questions)}
    differences, agreed = compare(labelled, asked, options.questions)
    for one in differences:
        print(f"{one.qa_id}: only {one.side}: Article {one.article} of {one.act} ({one.times}×)")
    report(
        f"article references, half to {options.half}",
        figures(labelled, differences, agreed),
        options.json,
    )


def read_labels(path: Path) -> list[Labelled]:
    """Read the labels of all Q&As."""
    records: Iterable[dict[str, Any]] = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Labelled(
            one["qa_id"],
            one["part"],
            len(one["references"]),
            Counter((ref["act"], n) for ref in one["references"] for n in ref["articles"]),
        )
        for one in records
    ]


def compare(
    labelled: Iterable[Labelled], asked: dict[str, ArticleQuestion], path: Path
) -> tuple[list[Difference], int]:
    """Return where parser and labels differ, and on how many articles they agree.

    Raises:
        InputError: a labelled Q&A is not in the file.
    """
    differences, agreed = [], 0
    for one in labelled:
        if one.qa_id not in asked:
            raise InputError(f"has no Q&A {one.qa_id}; give the training Q&As of the EBA.", path)
        references = article_references(asked[one.qa_id].asked.text, ACT)
        found: Named = Counter((ref.act, n) for ref in references for n in ref.articles)
        agreed += (found & one.named).total()
        for side, more in (("found", found - one.named), ("label", one.named - found)):
            differences += [Difference(one.qa_id, *key, side, n) for key, n in more.items()]
    return differences, agreed


def figures(
    labelled: list[Labelled], differences: Iterable[Difference], agreed: int
) -> list[Figure]:
    """Return precision and recall."""
    wrong = Counter[str]()
    for one in differences:
        wrong[one.side] += one.times
    return [
        Figure("Q&As", len(labelled)),
        Figure("references", sum(one.references for one in labelled)),
        Figure("articles in them", agreed + wrong["label"]),
        Figure(
            "precision", _share(agreed, wrong["found"]), "%", LEAST_PRECISION, higher_is_better=True
        ),
        Figure("recall", _share(agreed, wrong["label"]), "%", LEAST_RECALL, higher_is_better=True),
    ]


def _share(right: int, wrong: int) -> float:
    return 100 * right / max(1, right + wrong)


if __name__ == "__main__":
    start(main)
