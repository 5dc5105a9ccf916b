"""Answers that depend on a name or a heading: rules asked for, questions as headings, pointers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hits import make_hit, make_hits

from generation import AnswerSettings, answer
from generation.extract.score import points_on
from generation.statements.answers import statements_in
from search.records import Hit


def named(hits: list[Hit]) -> list[Hit]:
    return [replace(hit, scores=replace(hit.scores, number=0.9)) for hit in hits]


BREACH = [
    "A controller shall notify a breach to the authority within 72 hours after it knows of it. "
    "Where a notification is late, it shall be accompanied by the reasons for the delay.",
    "The processor shall notify the controller of a breach without delay.",
]


def test_a_rule_that_is_asked_for_is_quoted_from_its_beginning() -> None:
    found = answer("What does Rule 1 say?", named(make_hits(*BREACH)))
    assert "within 72 hours after it knows of it. Where a notification is late" in found.text
    assert "[…]" not in found.text


def test_what_is_left_out_of_a_named_rule_is_shown_by_an_ellipsis() -> None:
    rest = " ".join(
        f"The record of part {n} is kept by office {n} of the state." for n in range(30)
    )
    text = (
        f"The authority publishes a list. {rest} A firm tells the authority of each loss in 2 days."
    )
    question = "By Rule 1.1, how soon is the authority told of a loss?"
    found = answer(question, named([make_hit(text)]), settings=AnswerSettings(words=30))
    assert "A firm tells the authority of each loss in 2 days." in found.text
    assert "[…] A firm tells" in found.text


def test_a_question_is_the_heading_of_its_answer() -> None:
    title = "What if the concern is about the Compliance Officer?"
    hit = make_hit(f"{title}\nWrite to the Chair of the Committee.", title)
    found = answer("Whom do I tell of a concern about the Compliance Officer?", [hit])
    assert "“Write to the Chair of the Committee.”" in found.text
    assert "“What if" not in found.text


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Exception for Contracts.—Section 264 is amended—", True),
        ("EFFECTIVE DATES.—", True),
        ("by striking “Any” and inserting “Each”.", True),
        ("Note:", True),
        ("A firm must keep:", False),
        ("The fee may be amended by the Board.", False),
        ("This Chapter also sets out who must report.", True),
        ("Rule 5.2 provides guidance on fees.", True),
        ("Dieses Gesetz regelt die Aufsicht.", True),
        ("Dieser Abschnitt regelt auch Fristen.", True),
        ("This Chapter applies to a firm.", False),
        ("Dieses Gesetz gilt für Banken.", False),
    ],
)
def test_what_only_announces_or_amends_is_no_answer(text: str, points: bool) -> None:
    assert points_on(text) is points


def test_the_list_of_what_is_not_quoted_is_no_statement() -> None:
    title = "Health Act, 2004, S.O. 2004, c. 3, Sched. A"
    assert statements_in(f"Not quoted for length: {title} 54(1.1), {title} 54(2).") == ()
    assert statements_in("Not quoted for length: GEN 1. A firm must pay.") != ()
