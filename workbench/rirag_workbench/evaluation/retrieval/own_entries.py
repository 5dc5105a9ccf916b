"""Answered questions that are the asked ones: they must not answer themselves in an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from search.answered_questions.questions import AnsweredQuestion, folded


def own_entries(
    asked: Mapping[str, str], known: Iterable[AnsweredQuestion]
) -> dict[str, frozenset[str]]:
    """Return asked text → IDs of the same answered questions; texts without any are left out.

    An answered question is the asked one if it has its ID, or its words in its order.

    Args:
        asked: question_id → text.
        known: the memory of the index that is asked.
    """
    ids: set[str] = set()
    by_words: dict[str, set[str]] = {}
    for one in known:
        ids.add(one.id)
        by_words.setdefault(folded(one.text), set()).add(one.id)
    found: dict[str, set[str]] = {}
    for question_id, text in asked.items():
        same = by_words.get(folded(text), set()) | ({question_id} & ids)
        if same:
            found.setdefault(text, set()).update(same)
    return {text: frozenset(same) for text, same in found.items()}
