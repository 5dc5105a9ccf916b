"""Answers, passages and questions made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rirag.inputs.answer_records import AnswerRecord, Cited
from rirag_workbench.evaluation.answers.said import Item, Said, said_by
from search.records import Passage

CLIENT_MONEY = (
    "A Licensed Firm must reconcile client money accounts every calendar month. "
    "A Licensed Firm must keep a record of its staff."
)
NOTICE = (
    "A Licensed Firm must send the Commission a notice that:\n"
    "(a) names the client money accounts;\n"
    "(b) is signed by a director; and\n"
    "(c) states the fees of the auditor."
)


def passage(key: str, text: str) -> Passage:
    return Passage(id=key, document_id="D", passage_id=key, text=text)


def answer(
    text: str,
    cited: Sequence[tuple[str, str, str]] = (),
    *,
    question: str = "How often must client money accounts be reconciled?",
    mode: str = "extractive",
    refuses: bool = False,
    kept: Sequence[str] = (),
    found: Sequence[str] | None = None,
    key: str = "q",
) -> AnswerRecord:
    """Return an answer; `cited` are (ID, text, quote) in the order of their numbers."""
    citations = tuple(
        Cited(number, passage_id, text=words, quote=quote)
        for number, (passage_id, words, quote) in enumerate(cited, 1)
    )
    return AnswerRecord(
        key, question, text, citations, Path("answers.jsonl"), 1, refuses, mode,
        dict.fromkeys(kept, ""), None if found is None else tuple(found),
    )  # fmt: skip


def said(record: AnswerRecord) -> Said:
    return said_by(record, {one.number: passage(one.id, one.text or "") for one in record.cited})


def item(record: AnswerRecord, gold: Sequence[Passage]) -> Item:
    return Item("q", said(record), frozenset(one.id for one in gold), tuple(gold))
