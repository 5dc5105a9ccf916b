"""Questions about the law of another state, or about a law that the index lacks, are refused."""

from __future__ import annotations

import pytest
from hits import make_hits

from generation import Answer, AnswerContext, answer
from search.records import Passage
from tests.generation.small_acts import Shelves

RULE = "A bank must keep its records for six years."


class Shelf(Shelves):
    """A library of one document: its title, and the texts of its passages."""

    def __init__(self, title: str, *texts: str) -> None:
        numbered = ((str(number), text) for number, text in enumerate(texts, start=1))
        super().__init__({"1": [Passage(n, "1", n, text, title) for n, text in numbered]})


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
        "How long does the Travel Rule require a bank to keep its records?",
        "What does Policy CR-03 say about records?",
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
        ("How long must a Kenyan bank keep records?", "RECORDS OF KENYA", [RULE], RULE),
        ("What does the Travel Rule say?", "Records", [RULE], f"Records of travel. {RULE}"),
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
