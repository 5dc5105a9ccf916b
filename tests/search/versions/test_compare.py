"""What is told of two versions of an act."""

from __future__ import annotations

from test_alignment import BOATS, BREAD, LAMPS, act

from search.records import Passage
from search.versions.compare import compare, compare_places
from search.versions.difference import difference
from search.versions.history import History, Version

THEN, NOW = Version("2020-01-01", "2020-01-01"), Version("2024-03-01", "2024-03-01")


def test_each_change_has_its_words_and_its_day() -> None:
    old = act({"§ 1": LAMPS, "§ 2": BOATS})
    new = act({"§ 1": LAMPS, "§ 2": BOATS.replace("forty", "sixty"), "§ 3": BREAD})
    found = compare((THEN, old), (NOW, new))
    changed, added = found.changes
    assert (changed.change, changed.number, changed.valid_from) == ("changed", "§ 2", "2024-03-01")
    assert ("delete", "forty ") in changed.diff
    assert ("insert", "sixty ") in changed.diff
    assert (added.change, added.before, added.after) == ("added", None, BREAD)
    assert found.counts() == {"changed": 1, "added": 1}


def test_form_alone_is_no_change() -> None:
    old = act({"§ 1": 'The "lamp" - as it burns - is counted.', "§ 2": BOATS})
    new = act({"§ 1": "The “lamp” – as it burns – is   counted;", "§ 2": BOATS})
    found = compare((THEN, old), (NOW, new))
    assert (found.changes, found.editorial) == ((), 1)
    (told,) = compare((THEN, old), (NOW, new), with_editorial=True).changes
    assert (told.change, told.words_changed) == ("editorial", False)


def test_a_reading_that_lost_text_is_doubted() -> None:
    old = act({"§ 1": LAMPS, "§ 2": BOATS})
    (problem,) = compare((THEN, old), (NOW, old[:1])).problems
    assert "rirag structure" in problem
    assert compare((THEN, old), (NOW, old)).problems == ()


def test_a_point_is_below_the_wording_that_its_version_has() -> None:
    states = [
        Passage("r", "act", "§ 1", "Lamps are lit:"),
        Passage("r@2024-03-01", "act", "§ 1", "Lamps are lit, and counted:"),
        Passage("p", "act", "§ 1(a)", BOATS, parent="r@2024-03-01"),
    ]
    found = compare_places(states, History((THEN, NOW), ((0, 2), (1, 2))), 0, 1)
    assert [(one.change, one.number) for one in found.changes] == [("changed", "§ 1")]


def test_an_amount_is_a_change_and_its_punctuation_is_not() -> None:
    assert difference("A fee of 1.380,- francs", "A fee of 50 euros") == (
        ("equal", "A fee of "), ("delete", "1.380,- francs"), ("insert", "50 euros"),
    )  # fmt: skip
    assert difference("a fee, of “5” €", 'a fee of "5" €') == (("equal", 'a fee of "5" €'),)
    assert difference("a 1 250 % weight", "a 1250 % weight") == (("equal", "a 1250 % weight"),)


def test_the_json_has_the_names_of_the_contract() -> None:
    found = compare((THEN, act({"§ 1": LAMPS})), (NOW, act({"§ 1": BREAD}))).to_json()
    assert [found[name] for name in ("document_id", "from", "to", "editorial")] == [
        "act", "2020-01-01", "2024-03-01", 0,
    ]  # fmt: skip
    assert {one["change"] for one in found["changes"]} <= {"added", "repealed", "changed"}
