"""What each rule earns: every rule of the table can be switched off, and comes back."""

from __future__ import annotations

from importlib import import_module

import pytest

from benchmarks.earn import RETRIEVAL, chosen, read_rules, switched_off, table
from search.errors import InputError


def test_a_rule_is_off_wherever_it_was_imported_and_comes_back() -> None:
    from generation.extract import asked
    from generation.modes import extractive

    text = "Is our policy stricter than the Bank Act?"
    before = asked.compares(text)
    with switched_off(read_rules()["extract.compares"]):
        assert not any(one.compares(text) for one in (asked, extractive))
    assert before is True
    assert all(one.compares(text) for one in (asked, extractive))


def test_every_rule_of_the_table_is_in_the_product() -> None:
    for name, off in read_rules().items():
        for target in off:
            module, _, attribute = target.rpartition(".")
            assert hasattr(import_module(module), attribute), name


def test_rules_are_chosen_by_name_or_room() -> None:
    rules = read_rules()
    assert list(chosen(rules, ["extract.repeats"])) == ["extract.repeats"]
    assert {name.partition(".")[0] for name in chosen(rules, ["verify"])} == {"verify"}
    assert chosen(rules, []) == rules
    with pytest.raises(InputError, match=r"no rule is called extract\.none"):
        chosen(rules, ["extract.none"])


def test_the_table_shows_what_switching_off_changes() -> None:
    shown = table({"home R@10": 0.8, "home first": 0.5}, {"extract.repeats": {"home first": 0.45}})
    head, whole, row = shown.splitlines()
    assert head.split() == ["home", RETRIEVAL[0], "home", "first"]
    assert whole.split()[-2:] == ["0.800", "0.500"]
    assert row.split() == ["extract.repeats", "-0.050"]
