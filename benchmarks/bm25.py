"""Quality of the lexical retriever alone: python -m benchmarks.bm25 INDEX QUESTIONS.

To be held against Lucene's English analyzer with k1 = 1.2 and b = 0.75, which finds .769 at R@10
on the ObliQA development questions.
"""

from __future__ import annotations

from pathlib import Path

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.retrieval.run import Evaluation, evaluate_retrieval
from rirag_workbench.evaluation.statistics import spread
from search.engines.protocol import RetrievalRequest
from search.records import Filters
from search.text.analyzer import tokens

MEASURES = ("R@10", "AP@10", "R@100")
LUCENE_R10 = 0.769
TOLERANCE = 0.003


def main() -> None:
    """Run BM25 on every question and print its measures."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    options = arguments.parse_args()
    with search.open(options.index, reranker=None) as index:
        found = evaluate_lexical(index, options.questions, options.limit)
    least = None if options.limit else LUCENE_R10 - TOLERANCE
    figures = [Figure("questions", found.questions)]
    figures += [
        Figure(name, value, "", least if name == "R@10" else None, higher_is_better=True)
        for name, value in found.means.items()
    ]
    if found.latency:
        figures.append(Figure("p50 of a query, analysis included", found.latency.p50, "ms"))
    report("BM25 alone", figures, options.json)


def evaluate_lexical(index: search.Index, path: Path, limit: int | None) -> Evaluation:
    """Evaluate the engine's lexical retriever, without fusion and document scores."""
    engine = index.pipeline.engine
    passages = {candidate.key: passage for candidate, passage in engine.find(Filters())}
    questions = spread(read_questions(path), limit)
    judged = resolve_gold(questions, resolver(passages.values()), path)

    def ask(question: str) -> list[tuple[str, float]]:
        results = engine.run(RetrievalRequest(tokens=tuple(tokens(question))))
        return [(passages[one.key].id, one.score) for one in results.lexical]

    with tqdm(total=len(questions), unit="question", leave=False) as bar:
        return evaluate_retrieval(judged, ask, MEASURES, bar.update)


if __name__ == "__main__":
    start(main)
