"""Answers that depend on a value, a name or the heading: brackets, whole rules, near misses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hits import make_hit, make_hits
from test_extractive_answers import Corpus

from generation import AnswerContext, AnswerSettings, answer
from generation.extract.brackets import Bracket, amount_asked, bracket_of
from generation.extract.pointers import points_on
from generation.verify.compare.statements import statements_in
from search.records import Hit, Passage

INF = float("inf")

GIFTS = [
    make_hit(
        "Staff may accept chocolates or flowers with a value of up to €30.", "3.2.(a)", order=1
    ),
    make_hit(
        "A gift worth between €30 and €100 needs the consent of the manager.", "3.2.(b)", order=2
    ),
    make_hit("A gift of more than €100 must be declined.", "3.2.(c)", order=3),
]
GRADES = (
    "Deadlines depend on the grade of the incident, as this table shows for each of them:\n"
    "\\Table Start\n"
    "Grade\tMeaning\tReport to\tFirst report\n"
    "1\tNo harm at all, or a near miss\tWard manager on the shift\t24 hours\n"
    "2\tLow harm that heals by itself\tWard manager on the shift\t12 hours\n"
    "3\tModerate harm that needs treatment\tHead of Quality and Safety\t8 hours\n"
    "4\tSerious incident with lasting harm\tMedical Director on call\t1 hour\n"
    "\\Table End"
)


@dataclass
class Shelf(Corpus):
    """A library that holds some passages."""

    held: tuple[Passage, ...] = ()

    def passages(self, document_id: str) -> list[Passage]:
        return [one for one in self.held if one.document_id == document_id]


def context(*hits: Hit) -> AnswerContext:
    return AnswerContext(library=Shelf(held=tuple(hit.passage for hit in hits)))


def named(hits: list[Hit]) -> list[Hit]:
    return [replace(hit, scores=replace(hit.scores, number=0.9)) for hit in hits]


@pytest.mark.parametrize(
    ("text", "bracket"),
    [
        ("tokens of up to €30", (0, 30)),
        ("between €30 and €100", (30, 100)),
        ("| €2,500 to €25,000 | head |", (2500, 25000)),
        ("30–100 €", (30, 100)),
        ("von 1.000 bis 5.000 Euro", (1000, 5000)),
        ("more than €100 must be declined", (100, INF)),
        ("not more than 2,50 EUR", (0, 2.5)),
        ("USD 5,000 or more", (5000, INF)),
        ("a fee of €40", None),
        ("within 30 to 60 days", None),
    ],
)
def test_a_range_of_amounts_is_read(text: str, bracket: Bracket | None) -> None:
    assert bracket_of(text) == bracket


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("a 40 euro box?", 40),
        ("an order for 80,000 euros", 80000),
        ("€45 or €50?", None),
        ("9?", None),
    ],
)
def test_the_amount_of_a_question_is_read(question: str, amount: float | None) -> None:
    assert amount_asked(question) == amount


@pytest.mark.parametrize(("amount", "number"), [(20, "(a)"), (45, "(b)"), (150, "(c)")])
def test_of_the_brackets_of_an_amount_the_one_that_has_it_is_quoted(
    amount: int, number: str
) -> None:
    # The search found the first alone.
    found = answer(f"May I accept chocolates worth €{amount}?", GIFTS[:1], context=context(*GIFTS))
    assert [one.passage.passage_id for one in found.citations] == [f"3.2.{number}"]
    assert found.state == "answered"


def test_without_an_amount_no_bracket_is_chosen() -> None:
    found = answer("May I accept chocolates?", GIFTS[:1], context=context(*GIFTS))
    assert found.citations[0].passage.passage_id == "3.2.(a)"


@pytest.mark.parametrize(("grade", "shown", "hidden"), [(4, "1 hour", "24 hours"), (2, "12", "24")])
def test_of_a_table_the_row_of_the_grade_asked_for_is_quoted(
    grade: int, shown: str, hidden: str
) -> None:
    text = answer(f"First report of a grade {grade} incident", [make_hit(GRADES)]).text
    assert shown in text
    assert hidden not in text


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


def test_a_question_about_a_whole_rule_shows_its_first_part() -> None:
    crumbs = ("Article 35 Impact assessment",)
    first = make_hit("Where a risk is high, the controller shall study it before it begins.",
                     "35(1)", order=1, breadcrumb=crumbs)  # fmt: skip
    second = make_hit("The controller shall seek advice when carrying out an impact assessment.",
                      "35(2)", order=2, breadcrumb=crumbs)  # fmt: skip
    text = answer("When is an impact assessment needed?", [second], context=context(first, second))
    assert "Where a risk is high" in text.text
    other = answer("Who advises on an assessment for dogs?", [second],
                   context=context(first, second))  # fmt: skip
    assert "Where a risk is high" not in other.text


def test_a_time_that_the_next_rule_states_is_not_said_to_be_missing() -> None:
    first = make_hit("A patient may ask for a copy of the record.", "2.1", order=1,
                     breadcrumb=("Requests",))  # fmt: skip
    second = make_hit("The office answers within 21 days.", "2.2", order=2,
                      breadcrumb=("Requests",))  # fmt: skip
    question = "What is the deadline for a copy of the record?"
    found = answer(question, [first], context=context(first, second))
    assert "within 21 days" in found.text
    assert "No time limit" not in found.text
    apart = replace(second, passage=replace(second.passage, breadcrumb=("Fees",)))
    assert "No time limit" in answer(question, [first], context=context(first, apart)).text


def test_a_question_is_the_heading_of_its_answer() -> None:
    title = "What if the concern is about the Compliance Officer?"
    hit = make_hit(f"{title}\nWrite to the Chair of the Committee.", title)
    found = answer("Whom do I tell of a concern about the Compliance Officer?", [hit])
    assert "“Write to the Chair of the Committee.”" in found.text
    assert "“What if" not in found.text


def test_passages_without_a_word_of_the_subject_do_not_answer() -> None:
    hits = make_hits("The log must be audited as often as the rules ask for.")
    found = answer(
        "How often must fire drills be held?", hits, context=AnswerContext(library=Corpus())
    )
    assert found.state == found.to_json()["state"] == "unsure"
    assert found.text.startswith("Not sure. The nearest provisions say:")
    same = answer(
        "How often must the log be audited?", hits, context=AnswerContext(library=Corpus())
    )
    assert same.state == "answered"


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Exception for Contracts.—Section 264 is amended—", True),
        ("EFFECTIVE DATES.—", True),
        ("by striking “Any” and inserting “Each”.", True),
        ("Note:", True),
        ("A firm must keep:", False),
        ("The fee may be amended by the Board.", False),
    ],
)
def test_what_only_announces_or_amends_is_no_answer(text: str, points: bool) -> None:
    assert points_on(text) is points


def test_the_list_of_what_is_not_quoted_is_no_statement() -> None:
    title = "Health Act, 2004, S.O. 2004, c. 3, Sched. A"
    assert statements_in(f"Not quoted for length: {title} 54(1.1), {title} 54(2).") == ()
    assert statements_in("Not quoted for length: GEN 1. A firm must pay.") != ()
