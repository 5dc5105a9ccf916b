"""Questions about the law of another state, or about a law that the index lacks, are refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest
from hits import make_hits

from generation import Answer, AnswerContext, answer
from search.records import DocumentSummary, Passage

RULE = "A bank must keep its records for six years."


class Shelf:
    """A library of one document: its title, and the texts of its passages."""

    def __init__(self, title: str, *texts: str) -> None:
        self._title, self._texts = title, texts

    def documents(self) -> list[DocumentSummary]:
        return [DocumentSummary("1", self._title, len(self._texts))]

    def passages(self, document_id: str) -> list[Passage]:
        return [Passage(str(n), "1", str(n), text) for n, text in enumerate(self._texts, start=1)]

    def rarities(self, terms: Collection[str]) -> dict[str, float]:
        return dict.fromkeys(terms, 5.0)

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        return []

    def cited(self, passages: Sequence[Passage]) -> list[Passage]:
        return []

    def numbered(self, document_id: str, numbers: Collection[str]) -> list[Passage]:
        return []

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], Any]) -> Any:
        return work(self.passages(document_id))


def asked(question: str, shelf: Shelf, rule: str = RULE) -> Answer:
    """The answer from one rule of a document."""
    return answer(question, make_hits(rule), context=AnswerContext(library=shelf))


@pytest.mark.parametrize(
    "question",
    [
        "How long must a bank in Turkey keep its records?",
        "How long must a Belgian bank keep its records?",
        "How long does the FDIC want a bank to keep its records?",
        "How long must a bank keep its records under the Bank Secrecy Act?",
        "How long does the Bank Diary Act require a bank to keep its records?",
    ],
)
def test_the_law_of_another_state_is_not_answered_from_this_one(question: str) -> None:
    result = asked(question, Shelf("Records", RULE, "Banks in Kenya are supervised."))
    assert result.refused_by == "jurisdiction"


@pytest.mark.parametrize(
    ("question", "title", "texts", "rule"),
    [
        ("How long must a bank keep records?", "Records", [RULE], RULE),
        ("How long must a Kenyan bank keep records?", "Records of Kenya", [RULE], RULE),
        ("How long must a Kenyan bank keep records?", "Records", [RULE], f"In Kenya: {RULE}"),
        ("How long must our bank in Turkey keep records?", "Records", [RULE], RULE),
        ("How long must records that are stored in Turkey be kept?", "Records", [RULE], RULE),
        ("Jo owns a bank in Turkey. How long must it keep records?", "Records", [RULE], RULE),
        (
            "How long must a bank keep records under the Diary Act?",
            "Records",
            [RULE],
            f"Under the Diary Act: {RULE}",
        ),
    ],
)
def test_a_place_that_a_question_names_is_no_reason_to_refuse_it(
    question: str, title: str, texts: list[str], rule: str
) -> None:
    assert asked(question, Shelf(title, *texts), rule).refused_by is None
