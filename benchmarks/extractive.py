"""What quoted answers cover of what is asked: python -m benchmarks.extractive INDEX QUESTIONS.

Obligations are counted as the verifier counts them (docs/verification.md): sentences and list items
of the relevant passages that oblige, forbid or expect. One is covered when the answer quotes it
whole. `--gold` answers from the relevant passages themselves, so that only the choice of what is
quoted is measured; otherwise from what a search finds and the filter keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from benchmarks.gold import with_gold
from generation import Answer, AnswerContext, IndexLibrary, answer
from generation.statements.words import folded
from generation.verify.checks.coverage import obligations_of
from generation.verify.compare.sources import Source
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread
from search.records import Hit, Passage, RetrieverScore, Scores

LEAST_COVERED, MOST_WORDS = 72.0, 150
DEPTH = 10
_EDGES = " .,;:-!?'"


def main() -> None:
    """Answer every question and print the mean share covered, and the words."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--gold", action="store_true", help="answer from the relevant passages")
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    options = arguments.parse_args()
    questions = spread(read_questions(options.questions), options.limit)
    with search.open(options.index) as index:
        asked = with_gold(questions, {passage.id: passage for passage in index.passages()})
        context = AnswerContext(library=IndexLibrary(index))
        answers = [
            answer(
                text,
                _gold_hits(gold) if options.gold else index.search(text).hits,
                context=context,
            )
            for text, gold in asked
        ]
    shares = [covered(made, wanted(gold)) for (_, gold), made in zip(asked, answers, strict=True)]
    report("extractive answers", figures(answers, shares), options.json)


def wanted(gold: Sequence[Passage]) -> list[str]:
    """Return the obligations of the relevant passages, folded."""
    return [folded(own).strip(_EDGES) for p in gold for own, _ in obligations_of(Source(1, p))]


def covered(made: Answer, obligations: Sequence[str]) -> float | None:
    """Return the share of obligations that an answer quotes, 0 to 1; None where there are none."""
    if not obligations:
        return None
    quoted = folded(" ".join(citation.quote for citation in made.citations))
    return mean(one in quoted for one in obligations)


def figures(answers: Sequence[Answer], shares: Sequence[float | None]) -> list[Figure]:
    """Return the mean share covered, and how long the answers are."""
    known = [100 * share for share in shares if share is not None]
    words = [len(made.text.split()) for made in answers]
    return [
        Figure("questions with an obligation", len(known)),
        Figure("obligations covered", mean(known), "%", LEAST_COVERED, higher_is_better=True),
        Figure("words per answer", mean(words), "", MOST_WORDS),
        Figure(f"answers above {MOST_WORDS} words", 100 * mean(n > MOST_WORDS for n in words), "%"),
        Figure("refusals", sum(made.insufficient_evidence for made in answers)),
    ]


def _gold_hits(gold: Sequence[Passage]) -> list[Hit]:
    return [
        Hit(rank, 1.0, Scores(RetrieverScore(1.0, 1.0, rank)), passage)
        for rank, passage in enumerate(gold[:DEPTH], start=1)
    ]


if __name__ == "__main__":
    start(main)
