"""Which rule of one version is which of another, in invented acts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from search.records import Passage
from search.versions.alignment import aligned, rules_of

LAMPS = "Every lamp in a public street burns from sunset until the night watch ends its round."
BOATS = "A ferry carries no more than forty passengers and leaves the quay when the bell has rung."
BREAD = "Bakers sell bread by weight, and put a mark with the year of the oven under each loaf."
WELLS = "The keeper of a well tests its water every spring and writes the result on the lid."
MILLS = "Millers grind at day only; their wheels rest on market days and during a flood."


def act(rules: Mapping[str, str], title: str = "Lamp Act") -> list[Passage]:
    return [
        Passage(number, "act", number, text, title, order=place)
        for place, (number, text) in enumerate(rules.items())
    ]


def told(old: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[str, str]]:
    pairs = aligned(rules_of(act(old)), rules_of(act(new)))
    return [(one.old.number if one.old else "", one.new.number if one.new else "") for one in pairs]


def begun(text: str, other: str) -> str:
    """Return some words of a text, and another one behind them."""
    return " ".join([*text.split()[:6], other])


OLD = {"§ 1": LAMPS, "§ 2": BOATS, "§ 3": BREAD}


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (OLD, [("§ 1", "§ 1"), ("§ 2", "§ 2"), ("§ 3", "§ 3")]),
        # A new first section moves all others, of which one changes at the same time.
        (
            {"§ 1": WELLS, "§ 2": LAMPS, "§ 3": BOATS.replace("forty", "sixty"), "§ 4": BREAD},
            [("", "§ 1"), ("§ 1", "§ 2"), ("§ 2", "§ 3"), ("§ 3", "§ 4")],
        ),
        # Other marks of the same number are no move.
        (
            {"Section 1": LAMPS, "Section 2": BOATS, "3.": BREAD},
            [("§ 1", "Section 1"), ("§ 2", "Section 2"), ("§ 3", "3.")],
        ),
        # What was repealed comes where it was.
        ({"§ 1": LAMPS, "§ 3": BREAD}, [("§ 1", "§ 1"), ("§ 2", ""), ("§ 3", "§ 3")]),
        # A number that got another rule is not a changed one.
        (
            {"§ 1": LAMPS, "§ 2": MILLS, "§ 3": BREAD},
            [("§ 1", "§ 1"), ("§ 2", ""), ("", "§ 2"), ("§ 3", "§ 3")],
        ),
        # A rule that left the order of the text is found again.
        (
            {"§ 2": BOATS, "§ 3": BREAD, "§ 9": LAMPS},
            [("§ 2", "§ 2"), ("§ 3", "§ 3"), ("§ 1", "§ 9")],
        ),
        # Numbers that got other rules with some words of the old ones give way to a move.
        (
            {"§ 1": begun(LAMPS, MILLS), "§ 2": begun(BOATS, WELLS), "§ 3": begun(BREAD, LAMPS)},
            [("§ 1", "§ 3"), ("§ 2", "§ 2"), ("", "§ 1"), ("§ 3", "")],
        ),
        ({}, [("§ 1", ""), ("§ 2", ""), ("§ 3", "")]),
    ],
)
def test_rules_are_paired(new: Mapping[str, str], expected: list[tuple[str, str]]) -> None:
    assert sorted(told(OLD, new)) == sorted(expected)


def test_rules_come_in_the_order_of_the_later_version() -> None:
    new = {"§ 1": WELLS, "§ 2": LAMPS, "§ 4": BREAD}
    assert told(OLD, new) == [("", "§ 1"), ("§ 1", "§ 2"), ("§ 2", ""), ("§ 3", "§ 4")]


def test_what_cannot_be_decided_is_told_as_doubtful() -> None:
    half = " ".join(LAMPS.split()[:9]) + " and the guard of the gate locks both doors with keys."
    pairs = aligned(rules_of(act(OLD)), rules_of(act({"§ 2": BOATS, "§ 3": BREAD, "§ 8": half})))
    (doubtful,) = [one for one in pairs if one.maybe]
    assert (doubtful.old, doubtful.maybe) == (None, "§ 1")


def test_a_number_that_stands_twice_is_paired_in_order() -> None:
    twice = [*act({"§ 1": LAMPS, "§ 2": BOATS}), *act({"§ 2": BREAD})]
    pairs = aligned(rules_of(twice), rules_of(twice))
    assert all(one.old and one.new and one.old.text == one.new.text for one in pairs)


def below(parent: str, number: str, text: str) -> Passage:
    return Passage(number, "act", number, text, "Lamp Act", parent=parent)


@pytest.mark.parametrize("division", ["Part 1", "Section 1"])
def test_paragraphs_count_to_their_article_and_divisions_are_no_rules(division: str) -> None:
    passages = [
        Passage("Lamp Act", "act", "Lamp Act", "Published on 3 May.", "Lamp Act"),
        Passage("Part 1", "act", division, "Streets", "Lamp Act", kind="heading"),
        below("Part 1", "Article 1", "Lamps"),
        below("Article 1", "Article 1(1)", LAMPS),
        below("Article 1", "Footnote 1", "OJ L 1."),
        below("Part 1", "Article 2", BOATS),
        Passage("Annex", "act", "Annex I", "Forms", "Lamp Act"),
        below("Annex", "Annex I.1", BREAD),
    ]
    passages[4] = Passage("f", "act", "Footnote 1", "OJ L 1.", kind="footnote", parent="Article 1")
    found = rules_of(passages)
    assert [one.number for one in found] == ["Article 1", "Article 2", "Annex I"]
    assert found[0].text == f"Lamps\n(1) {LAMPS}"
