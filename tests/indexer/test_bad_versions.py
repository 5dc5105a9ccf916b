"""Versions that are odd or wrong: nothing is lost, and nothing looks like a change that is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import search
from tests.lamp_act import Load

WORDS = (
    "burns until sunrise", "is lit by its keeper", "costs fifty crowns a year",
    "stands on stone", "may be blue in harbours", "is cleaned on every feast day",
    "has a glass of its own", "is counted by the clerk each spring",
)  # fmt: skip


def act(rules: Iterable[tuple[int, str]]) -> str:
    """Return an act of numbered rules."""
    sections = (f"## Section {number}\n\nA lamp {words}.\n" for number, words in rules)
    return "\n".join(["---\ndocument_id: lamps\n---\n# Lamp Act\n", *sections])


WHOLE = act(enumerate(WORDS, start=1))


def test_two_versions_of_one_day_are_both_kept(load: Load, place: Path) -> None:
    load(WHOLE, "2020-01-01", version="first")
    load(WHOLE.replace("fifty", "sixty"), "2020-01-01", version="second")
    index = search.open(place)
    held = index.versions("lamps")
    assert [(one.version.version_id, one.status, one.until) for one in held] == [
        ("first", "past", ""), ("second", "in-force", ""),
    ]  # fmt: skip
    (changed,) = index.compare("lamps", "first", "second").changes
    assert (changed.change, changed.number) == ("changed", "Section 3")


def test_a_day_before_1970_is_a_day(load: Load, place: Path) -> None:
    load(WHOLE, "1958-10-05")
    load(WHOLE.replace("fifty", "sixty"), "1804-03-21")
    index = search.open(place)
    first, second = index.versions("lamps")
    assert (first.version.valid_from, second.version.valid_from) == ("1804-03-21", "1958-10-05")
    found = index.search("What does a lamp cost?", as_of="1900-01-01")
    assert {"sixty" in one.text for one in found if "crowns" in one.text} == {True}


def test_the_year_9999_is_long_after_today(load: Load, place: Path) -> None:
    load(WHOLE, "2020-01-01")
    load(WHOLE.replace("fifty", "sixty"), "9999-12-31")
    found = search.open(place).search("What does a lamp cost?")
    assert {"fifty" in one.text for one in found if "crowns" in one.text} == {True}


def test_numbers_that_all_shift_are_moved_rules(load: Load, place: Path) -> None:
    load(WHOLE, "2020-01-01")
    load(act(enumerate(("is a light on a post", *WORDS), start=1)), "2021-01-01")
    changes = search.open(place).compare("lamps").changes
    assert Counter(one.change for one in changes) == {"added": 1, "moved": len(WORDS)}


def test_a_number_that_stands_twice_is_two_rules(load: Load, place: Path) -> None:
    twice = [*enumerate(WORDS, start=1)]
    twice[5] = (5, WORDS[5])
    load(act(twice), "2020-01-01")
    load(act(twice).replace("feast day", "market day"), "2021-01-01")
    (changed,) = search.open(place).compare("lamps").changes
    assert (changed.change, changed.number) == ("changed", "Section 5")
    assert "feast" in changed.before and "market" in changed.after


def test_a_version_that_lost_half_its_text_is_a_problem(load: Load, place: Path) -> None:
    load(WHOLE, "2020-01-01")
    report = load(act([*enumerate(WORDS, start=1)][:4]), "2021-01-01")
    assert report.versions[0].problems
    assert search.open(place).compare("lamps").problems
