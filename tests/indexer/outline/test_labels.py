"""Labels at the beginning of a paragraph, and what follows what."""

from __future__ import annotations

import pytest

from indexer.structuring.labels.labels import automatic_label, parse_label


@pytest.mark.parametrize(
    ("text", "label", "shape", "rest"),
    [
        ("1.2.3\tA Firm must", "1.2.3", "dotted", "A Firm must"),
        ("A1.1.2\tThis Appendix", "A1.1.2", "dotted", "This Appendix"),
        ("A.1\tBanks", "A.1", "dotted", "Banks"),
        ("3.6A.7\t(1)\tA Firm", "3.6A.7", "dotted", "(1)\tA Firm"),
        ("1.\tSCOPE", "1.", "integer", "SCOPE"),
        ("28)\tFees", "28)", "integer", "Fees"),
        ("12A\tFees", "12A", "integer", "Fees"),
        ("(a)\teach Firm", "(a)", "bracket", "each Firm"),
        ("(a) each Firm", "(a)", "bracket", "each Firm"),
        ("(iv)\teach Firm", "(iv)", "bracket", "each Firm"),
        ("a.\teach Firm", "a.", "letter", "each Firm"),
        ("B) Firms", "B)", "letter", "Firms"),
        ("Part 3 Fees", "Part 3", "division", "Fees"),
        ("Schedule 1 – Fees", "Schedule 1", "division", "– Fees"),
        ("SECOND SCHEDULE", "SECOND SCHEDULE", "division", ""),
        ("Chapter 17A\nTechnology", "Chapter 17A", "division", "Technology"),
        ("Part 18 Contraventions, etc.", "Part 18", "division", "Contraventions, etc."),
        ("SECTION VIII", "SECTION VIII", "division", ""),
        ("Article 1a", "Article 1a", "division", ""),
        ("Article 1A Duties", "Article 1A", "division", "Duties"),
        ("Article 2 bis", "Article 2 bis", "division", ""),
        ("ARTICLE 2ter Fees", "ARTICLE 2ter", "division", "Fees"),
        ("Article 2 Terms", "Article 2", "division", "Terms"),
        ("APP1\tFORMS", "APP1", "division", "FORMS"),
        ("1. Fees are due.", "1.", "integer", "Fees are due."),
        ("\u200e(2)\tNothing", "(2)", "bracket", "Nothing"),
        ("•\teach Firm", "•", "bullet", "each Firm"),
        ("2.—(1) In these Rules", "2.", "integer", "(1) In these Rules"),
    ],
)
def test_labels_are_found(text, label, shape, rest):
    found = parse_label(text)
    assert found and (found[0].text, found[0].shape, found[1]) == (label, shape, rest)


@pytest.mark.parametrize(
    "text",
    [
        "A Firm must report.", "3 Firms must report.", "2015 Regulations", "1.5 times the fee",
        "Part 4 of these Regulations does not apply.", "i.e. every Firm", "100%", "(see below)",
        "Section 5(1) applies", "a firm", "", "1.2.3applies", "Rule 3.5.8 applies.",
        "Part 1st",
    ],
)  # fmt: skip
def test_the_middle_of_a_sentence_has_no_label(text):
    assert parse_label(text) is None


def test_in_a_heading_a_bare_number_is_a_label_but_a_date_is_none():
    found = parse_label("2 Conduct of firms", heading=True)
    assert found and (found[0].text, found[1]) == ("2", "Conduct of firms")
    assert parse_label("2 Conduct of firms") is None
    assert parse_label("15 October 2020", heading=True) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(1)", "(2)"), ("(a)", "(b)"), ("(z)", "(aa)"), ("(aa)", "(bb)"), ("(h)", "(i)"),
        ("(i)", "(ii)"), ("(iv)", "(v)"), ("(I)", "(II)"), ("12", "12A"), ("12A", "12B"),
        ("12A", "13"), ("1.", "2."), ("a.", "b."), ("A)", "B)"), ("Part 1", "Part 2"), ("•", "•"),
        ("FIRST SCHEDULE", "SECOND SCHEDULE"), ("Third Annex", "Fourth Annex"),
        ("Chapter 17", "Chapter 17A"), ("Article 1", "Article 1a"), ("Article 1a", "Article 2"),
        ("Article 2", "Article 2 bis"), ("Article 2 bis", "Article 2 ter"),
        ("Article 2 quater", "Article 2 quinquies"), ("Article 2 bis", "Article 3"),
        ("Article 2 octies", "Article 2 novies"), ("Article 2 octies", "Article 2 nonies"),
        ("Article 2 novies", "Article 2 decies"),
    ],
)  # fmt: skip
def test_labels_follow_each_other(one, other):
    first, second = automatic_label(one), automatic_label(other)
    assert first and second and second.follows(first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(1)", "(3)"), ("(1)", "2."), ("(a)", "(A)"), ("(b)", "(a)"), ("(1)", "(1)"),
        ("Part 1", "Chapter 2"), ("12A", "12A"), ("(a)", "b."), ("•", "1."),
        ("Article 2 ter", "Article 2 bis"),
    ],
)  # fmt: skip
def test_labels_that_do_not_follow_each_other(one, other):
    first, second = automatic_label(one), automatic_label(other)
    assert first and second and not second.follows(first)


def test_hyphens_between_numbers_are_written_as_dots():
    label = automatic_label("2-1")
    assert label and (label.text, label.shape) == ("2.1", "dotted")


@pytest.mark.parametrize("text", ["", " ", "hello world", "+", "[]"])
def test_other_automatic_texts_are_no_labels(text):
    assert automatic_label(text) is None


@pytest.mark.parametrize(
    ("text", "label", "shape"),
    [
        ("Article 3 –", "Article 3", "division"), ("Chapter 2:", "Chapter 2", "division"),
        ("1.1:", "1.1", "dotted"), ("1.1(a)", "(a)", "bracket"), ("1.1(a)(ii)", "(ii)", "bracket"),
        ("Rule 5", "Rule 5", "integer"), ("§ 5", "§ 5", "integer"),
        ("Section 1.01", "Section 1.01", "dotted"), ("HC-1.1", "HC-1.1", "dotted"),
    ],
)  # fmt: skip
def test_automatic_numbers_of_any_form_are_labels(text, label, shape):
    found = automatic_label(text)
    assert found and (found.text, found.shape) == (label, shape)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rule 5", "Rule 6"),
        ("§ 9", "§ 10"),
        ("Part One", "Part Two"),
        ("Article (1)", "Article (2)"),
    ],
)
def test_words_before_automatic_numbers_do_not_part_them(one, other):
    first, second = automatic_label(one), automatic_label(other)
    assert first and second and second.follows(first)


@pytest.mark.parametrize(
    "text", ["30 days after the notice", "£500 is due", "5 % of it", "$1 a day"]
)
def test_an_item_may_begin_with_an_amount(text):
    found = parse_label(f"3. {text}")
    assert found and (found[0].text, found[1]) == ("3.", text)


@pytest.mark.parametrize("text", ["15. 10. 2020", "3. 5. 7.", "1. 200 000"])
def test_figures_after_figures_are_no_text(text):
    assert parse_label(text) is None
