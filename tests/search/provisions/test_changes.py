"""A cited rule has changed if its words have; not if its place, its ID or its marks have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search.provisions.changes import RuleChange, Rules
from search.records import Passage
from search.text.wording import wording


def passage(number: str, text: str, **fields: object) -> Passage:
    return replace(Passage(f"id {number} {text}", "LAMP", number, text), **fields)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A keeper must\nlight it.", "A  keeper\u00a0must light it."),
        ("the “lamp” – a ‘light’", "the \"lamp\" - a 'light'"),
        ("lan\u00adtern, of\ufb01ce", "lantern, office"),
        ("THE KEEPER; (a) oil", "The keeper: a) oil."),
        ("**Oil** _must_ burn", "Oil must burn"),
        ("F1[Oil] must ►M1 burn ◄ [F22twice] ▼B", "[Oil] must burn [twice]"),
        ("Oil must burn.¹ A keeper² (³) looks [4] on[^5].", "Oil must burn. A keeper looks on."),
        ("15 000 lamps", "15,000 lamps"),
    ],
)
def test_these_are_the_same_words(one: str, other: str) -> None:
    assert wording(one) == wording(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("may", "must"), ("24 hours", "48 hours"), ("1.5 litres", "15 litres"), ("m² 3", "m³ 3"),
        ("€5", "£5"), ("5 %", "5 ‰"), ("≥ 5", "> 5"), ("Article 3(1)", "Article 3(2)"),
        ("class F1", "class F2"), ("form [C1]", "form [C2]"), ("not lit", "lit"),
    ],
)  # fmt: skip
def test_these_are_not(one: str, other: str) -> None:
    assert wording(one) != wording(other)


OIL = "A keeper must store oil in a locked shed."
NOW = [
    passage("1", "Lamps", kind="heading"),
    passage("1.1", "A keeper must light each lamp at dusk."),
    passage("1.2", "A keeper must:"),
    passage("1.2.(a)", "clean the glass;"),
    passage("1.2.(b)", "trim the wick."),
    passage("2", "Oil is:\n(a) whale oil; or\n(b) colza oil."),
    passage("3.1", OIL),
    passage("4", "Deleted."),
    passage("5", "Deleted."),
    passage("Article 7(1)", "No keeper may sleep at night.", breadcrumb=("Article 7 Sleep",)),
    passage("Footnote 2", "Lamps Act 1901", kind="footnote"),
]


@pytest.mark.parametrize(
    ("then", "found"),
    [
        (passage("1.1", "A keeper must light each lamp at dusk.", order=9, source="x:7"), None),
        (passage("1.1", "A keeper must light each lamp."), RuleChange("changed")),
        (passage("9.9", "Keepers wear hats."), RuleChange("removed")),
        (passage("9.9", OIL), RuleChange("moved", "3.1", words_changed=False)),
        (passage("1.1", OIL), RuleChange("moved", "3.1", words_changed=False)),
        (passage("9.9", "Deleted."), RuleChange("removed")),  # which of the two is it?
        (passage("Part 3.1.1", "A keeper must light each lamp at dusk."), None),
        (passage("1.2", "A keeper must: (a) clean the glass; (b) trim the wick."), None),
        (passage("2.(b)", "colza oil."), None),
        (passage("2.(c)", "colza oil."), RuleChange("removed")),
        (passage("Footnote 1", "Lamps Act 1901", kind="footnote"), None),
        (
            passage("Article 6(1)", "No keeper may sleep by day or night.",
                    breadcrumb=("Article 6 Sleep",)),
            RuleChange("moved", "Article 7(1)"),
        ),
        (
            passage("Article 6(1)", "No keeper may sleep by day or night.",
                    breadcrumb=("Article 6 Food",)),
            RuleChange("removed"),
        ),
    ],
)  # fmt: skip
def test_a_rule_is_compared_by_its_words(then: Passage, found: RuleChange | None) -> None:
    assert Rules(NOW).change_of(then) == found


def test_parts_of_a_long_rule_may_be_cut_elsewhere() -> None:
    now = [
        passage("1", "one two three", metadata={"part": "1 of 2"}),
        passage("1", "four five", metadata={"part": "2 of 2"}),
    ]
    then = passage("1", "three four", metadata={"part": "2 of 3"})
    assert Rules(now).change_of(then) is None
    assert Rules(now).change_of(replace(then, text="three six")) == RuleChange("changed")
