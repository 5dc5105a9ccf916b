"""Obligation nuggets: what is vital, and what an answer covers."""

from __future__ import annotations

from answer_sample import CLIENT_MONEY, NOTICE, answer, passage, said

from rirag_workbench.evaluation.answers.nuggets import Graded, Rarity, grade, nuggets_of, shares

QUESTION = "How often must client money accounts be reconciled?"
COMMON = [passage(str(number), "A Licensed Firm must do this.") for number in range(50)]


def nuggets(question: str, *texts: str):
    gold = [passage(f"g{number}", text) for number, text in enumerate(texts)]
    return nuggets_of(question, gold, Rarity([*COMMON, *gold]))


def coverage(question: str, source: str, record) -> list[str]:
    return [one.coverage for one in grade(nuggets(question, source), said(record))]


def test_the_sentence_that_bears_on_the_question_is_vital_and_its_neighbour_is_not() -> None:
    monthly, staff = nuggets(QUESTION, CLIENT_MONEY)
    assert monthly.vital
    assert not staff.vital
    assert monthly.bearing > 0.7 > 0.1 > staff.bearing


def test_a_list_is_split_into_its_items() -> None:
    found = nuggets("What must the notice say of the auditor's fees?", NOTICE)
    assert [one.own for one in found] == [
        "(a) names the client money accounts",
        "(b) is signed by a director; and",
        "(c) states the fees of the auditor",
    ]


def test_of_a_list_only_the_items_asked_for_are_vital() -> None:
    found = nuggets("What must the notice say of the auditor's fees?", NOTICE)
    assert [one.vital for one in found] == [False, False, True]


def test_all_items_are_vital_where_the_question_asks_for_the_list() -> None:
    found = nuggets("What must a notice sent to the Commission contain?", NOTICE)
    assert [one.vital for one in found] == [True, True, True]


def test_all_are_vital_where_no_words_are_shared() -> None:
    assert all(one.vital for one in nuggets("Wherefore?", CLIENT_MONEY))


def test_an_item_of_another_passage_is_measured_against_the_best_of_all() -> None:
    *_, staff = nuggets(QUESTION, CLIENT_MONEY, "A Licensed Firm must train its staff.")
    assert not staff.vital


def test_quoted_words_cover_whole_wherever_they_are_quoted() -> None:
    quote = "A Licensed Firm must reconcile client money accounts every calendar month."
    record = answer(f"**R 1**: “{quote}” [1]", [("elsewhere", CLIENT_MONEY, quote)])
    assert coverage(QUESTION, CLIENT_MONEY, record) == ["whole", "not"]


def test_other_words_cover_by_the_terms_that_they_share() -> None:
    text = "Client money accounts must be reconciled by a Licensed Firm each calendar month [1]."
    record = answer(text, [("g0", CLIENT_MONEY, "")], mode="rag")
    assert coverage(QUESTION, CLIENT_MONEY, record) == ["whole", "not"]


def test_half_of_the_terms_cover_partly() -> None:
    record = answer("Client money must be reconciled by a firm [1].", [("g0", CLIENT_MONEY, "")])
    assert coverage(QUESTION, CLIENT_MONEY, record)[0] == "partly"


def test_a_statement_that_turns_the_rule_round_covers_nothing() -> None:
    text = "A Licensed Firm must not reconcile client money accounts every calendar month [1]."
    record = answer(text, [("g0", CLIENT_MONEY, "")], mode="rag")
    assert coverage(QUESTION, CLIENT_MONEY, record)[0] == "not"


def test_like_words_that_rest_on_another_passage_cover_nothing() -> None:
    other = "A Bank must reconcile client money accounts each calendar month, Licensed or a Firm."
    text = "A Bank must reconcile client money accounts each calendar month [1]."
    record = answer(text, [("other", other, "")], mode="rag")
    assert coverage(QUESTION, CLIENT_MONEY, record)[0] == "not"


def test_a_word_or_two_count_only_where_they_are_quoted_from_the_passage() -> None:
    listed = "A Licensed Firm must record:\n(a) fees; and\n(b) costs."
    loose = answer("It must note (a) fees; and more [1].", [("other", "(a) fees; and more", "")])
    assert coverage("What of fees?", listed, loose)[0] == "not"
    quoted = "A Licensed Firm must record: (a) fees; and"
    strict = answer(f"“{quoted}” [1]", [("g0", listed, quoted)])
    assert coverage("What of fees?", listed, strict)[0] == "whole"


def test_shares_count_vital_ones_apart_and_partly_as_half() -> None:
    monthly, staff = nuggets(QUESTION, CLIENT_MONEY)
    graded = [Graded(monthly, "partly"), Graded(staff, "whole")]
    assert shares(graded, vital=False) == (0.5, 0.75)
    assert shares(graded, vital=True) == (0.0, 0.5)
    assert shares([], vital=True) is None
