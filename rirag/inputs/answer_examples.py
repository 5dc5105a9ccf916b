"""Answered questions for mode `few-shot`: from a file, or from those of an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generation.advisor.shares import cut_to
from generation.prompts.examples import Example, nearest_examples
from generation.text.labels import citation_label
from rirag.inputs.json_records import read_records
from rirag.refusals import unusable
from search.answered_questions.questions import AnsweredQuestion, folded
from search.messages.refusals import on_index

if TYPE_CHECKING:
    from search import Index
    from search.trace import SimilarQuestion

SHOWN = 5
"""Answered questions whose passages are fetched: as many as mode `few-shot` shows."""

TOKENS = 300
"""Longest answer made of passages, in tokens: about 200 words, of which five fit any model."""


def read_examples(path: Path) -> tuple[Example, ...]:
    """Read a file of answered questions, JSON lines or a JSON list.

    Each record has `question` and `answer`, and may have `topic`; further fields do no harm.
    `Question` and `Answer` will do as well, so that what `rirag ask` wrote can be used.
    """
    return tuple(read_records(path, _example))


def known_examples(
    question: str, similar: Sequence[SimilarQuestion], index: Index, leave_out: str | None = None
) -> tuple[Example, ...]:
    """Return the answered questions nearest to one, each answered by the words of its passages.

    Args:
        question: as it was asked; it is not an example itself.
        similar: answered questions that voted in its search; without any, all are looked through.
        index: that holds answered questions and passages.
        leave_out: ID of an answered question that must not be shown.
    """
    asked = folded(question)

    def others(known: Iterable[AnsweredQuestion]) -> dict[str, AnsweredQuestion]:
        not_it = (one for one in known if one.id != leave_out and folded(one.text) != asked)
        return {one.text: one for one in not_it}

    voted = (AnsweredQuestion(one.question_id, one.question, one.passages) for one in similar)
    known = others(voted) or others(index.answered_questions())
    if not known:
        command = on_index("rirag questions add FILE", index.url)
        raise unusable("mode.needs-examples", url=index.url, command=command)
    nearest = nearest_examples(question, [Example(text, "") for text in known], SHOWN)
    answered = ((one.question, _answer(known[one.question], index)) for one in nearest)
    return tuple(Example(text, answer) for text, answer in answered if answer)


def _answer(known: AnsweredQuestion, index: Index) -> str:
    found = index.passages({"id": list(known.passages)})
    quoted = [f"{citation_label(one)}: {one.text.strip()}" for one in found if one.text.strip()]
    return cut_to("\n".join(quoted), TOKENS)


def _example(record: object, _line: int) -> Example:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(record, dict):
        raise ValueError("an example must be a JSON object.")
    topic = record.get("topic", "")
    return Example(
        _text(record, "question"), _text(record, "answer"), topic if isinstance(topic, str) else ""
    )


def _text(record: dict[str, object], name: str) -> str:
    value = record.get(name, record.get(name.capitalize()))
    if not isinstance(value, str) or not value.strip():
        raise ValueError(
            f"field {name!r} is missing or empty; an example needs question and answer."
        )
    return value.encode("utf-8", "replace").decode()
