"""The names of parts, and how well they are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.part_lookup import ACTS, LEAST_SHARE, NAMES, figures, look_up_all, read_acts
from search.errors import InputError


def test_there_are_enough_names_and_each_is_there_once() -> None:
    names = [json.loads(line) for line in NAMES.read_text(encoding="utf-8").splitlines()]
    assert len({(one["name"], one["document"]) for one in names}) == len(names) >= 150
    assert sum(one["half"] == "report" for one in names) >= 75
    assert all(part[0] in ACTS for one in names for part in one["parts"])


@pytest.mark.corpus
def test_nearly_all_names_are_found(data_folder: Path) -> None:
    measured = figures(look_up_all(read_acts(data_folder / "eu"), NAMES))
    assert {one.name: one.value >= LEAST_SHARE for one in measured if "right" in one.name} == {
        "right, develop": True,
        "right, report": True,
    }


def test_missing_acts_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name the folder of the acts"):
        read_acts(tmp_path)
