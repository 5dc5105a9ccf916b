"""What is a title, and not quoted, and what is a sentence, however short."""

from __future__ import annotations

import pytest
from hits import make_hits

from generation import answer
from generation.statements.markers import reads_as_heading, without_inline_heading
from generation.statements.passages import statements_of


@pytest.mark.parametrize(
    "title",
    [
        "Storage Facilities.", "Application.", "The activity.", "The exceptions under section 9.",
        "Co-operation with oversight providers.", "Notification of documents sent to Shareholders.",
        "Quarterly Reports – Mining Reporting Entities.", "Principle 2 – Division of powers.",
        "Duties of the Governing Body", "Compliance with Rule 10.1.8.",
    ],
)  # fmt: skip
def test_titles_state_nothing(title: str) -> None:
    assert reads_as_heading(title)


@pytest.mark.parametrize(
    "sentence",
    [
        "The licence lapses after 14 months.", "The fee doubles after 31 March.",
        "Time begins on the day of receipt.", "An appeal suspends the decision.",
        "It complements the Offer document.", "These Rules regulate Fund Managers.",
        "(4) an estimate of net present value.", "b. Limited Liability Partnerships.",
        "Credit RWA = 0.", "Liegen Tatsachen vor, die darauf hindeuten, dass",
        "Abweichend von Absatz 1 sind Verpflichtete nach § 2 Absatz 1", "A firm licensed by the",
    ],
)  # fmt: skip
def test_short_sentences_and_items_are_no_titles(sentence: str) -> None:
    assert not reads_as_heading(sentence)


def test_only_the_first_sentence_of_a_line_can_be_a_title() -> None:
    title, rule, fee = statements_of("Renewal. A licence must be renewed. Late fee: none. ")[:3]
    assert title.heading
    assert not (rule.heading or fee.heading)
    cost = statements_of("A licence must be renewed. Late renewals cost USD 500.")[-1]
    assert not cost.heading


def test_short_sentences_of_a_named_rule_are_quoted() -> None:
    text = "A reply must be given within 10 days. Silence counts as consent."
    assert f"“{text}” [1]" in answer("Does silence count as consent?", make_hits(text)).text


def test_a_name_keeps_its_value() -> None:
    assert without_inline_heading("Owner: Head of IT") == ["Owner: Head of IT"]
    assert without_inline_heading("Timing: A Person must pay.") == ["Timing:", "A Person must pay."]
