"""Measures of the whole search on judged questions."""

from __future__ import annotations

from tqdm import tqdm

import search
from rirag.inputs.gold import JudgedQuestions
from rirag_workbench.evaluation.retrieval.run import evaluate_retrieval

MEASURES = ("R@10", "AP@10")


def quality(index: search.Index, judged: JudgedQuestions) -> dict[str, float]:
    """Return the means of the measures for the default pipeline without a reranker.

    Answered questions do not vote: an index may have some, and its copy on a server has none.
    """

    def ask(question: str) -> list[tuple[str, float]]:
        found = index.search(question, 100, rerank=False, answered_questions=False)
        return [(hit.id, hit.score) for hit in found.hits]

    with tqdm(total=len(judged.texts), unit="question", leave=False) as bar:
        found = evaluate_retrieval(judged, ask, MEASURES, bar.update)
    return dict(found.means)
