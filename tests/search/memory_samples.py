"""Answered questions for tests: a small memory beside an index."""

from __future__ import annotations

from collections.abc import Sequence

import indexer
import search


def known(name: str, text: str, *passages: str) -> search.AnsweredQuestion:
    """An answered question with the `ID`s of the passages that answer it."""
    return search.AnsweredQuestion(name, text, passages)


def ids(hits: Sequence[search.Hit]) -> list[str]:
    """The `ID`s of hits, best first."""
    return [hit.id for hit in hits]


def remember(url: str, *questions: search.AnsweredQuestion) -> indexer.QuestionsReport:
    """Add answered questions to an index."""
    return indexer.add_questions(questions, url)
