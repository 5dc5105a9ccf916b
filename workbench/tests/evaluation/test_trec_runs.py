"""TREC runs: what is written comes back in the same order, whatever its scores were."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rirag_workbench.evaluation.retrieval.runs import (
    read_run,
    strictly_decreasing,
    trec_order,
    write_run,
)
from search.errors import InputError, StorageError

scores = st.floats(
    allow_nan=False, allow_infinity=False, width=32, max_value=2.0**100, min_value=-(2.0**100)
)


def test_run_is_written_in_six_columns_and_100_deep(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    write_run(path, {"q1": tuple((f"p{n}", 1 - n / 1000) for n in range(150))})
    lines = path.read_text().splitlines()
    assert len(lines) == 100
    assert lines[0] == "q1 Q0 p0 1 1 rirag"
    assert lines[99].split()[:4] == ["q1", "Q0", "p99", "100"]
    assert [file.name for file in tmp_path.iterdir()] == ["run.txt"]


def test_tied_scores_are_told_apart_in_the_order_given(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    ranking = (("a", 1.0), ("z", 1.0), ("m", 1.0 - 1e-12), ("b", 0.0), ("c", 0.0))
    write_run(path, {"q": ranking})
    back = read_run(path)["q"]
    assert [passage for passage, _ in back] == ["a", "z", "m", "b", "c"]
    assert all(
        math.isclose(one[1], two[1], abs_tol=1e-6) for one, two in zip(ranking, back, strict=True)
    )


@given(st.lists(scores, max_size=30))
def test_written_scores_always_decrease_in_32_bits(values: list[float]) -> None:
    ranking = strictly_decreasing([(f"p{n}", score) for n, score in enumerate(values)])
    written = [np.float32(f"{score:.9g}") for _, score in ranking]
    assert all(above > below for above, below in pairwise(written))
    assert [passage for passage, _ in trec_order(ranking)] == [passage for passage, _ in ranking]


def test_scores_that_decrease_already_are_kept() -> None:
    ranking = (("a", 3.5), ("b", 0.25), ("c", -1.0))
    assert strictly_decreasing(ranking) == ranking


def test_rank_column_is_ignored_and_ties_go_by_id_descending(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q Q0 a 1 0.5 t\nq\tQ0\tb 2 .5 t\n\nq Q0 c 99 7e-1 t\nr 0 a x -3 t\n")
    assert read_run(path) == {"q": (("c", 0.7), ("b", 0.5), ("a", 0.5)), "r": (("a", -3.0),)}


def test_scores_that_32_bits_cannot_tell_apart_are_tied() -> None:
    assert [passage for passage, _ in trec_order([("a", 1.0 + 1e-9), ("b", 1.0)])] == ["b", "a"]


def test_scores_beyond_32_bits_are_tied(tmp_path: Path) -> None:
    file = tmp_path / "x.run"
    file.write_text("q Q0 a 1 1e300 t\nq Q0 b 2 2e300 t\nq Q0 c 3 1e301 t\n", encoding="utf-8")
    assert [passage for passage, _ in read_run(file)["q"]] == ["c", "b", "a"]


def test_all_bad_lines_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q Q0 a 1 0.5 t\nq Q0 b 2 0.4\nq Q0 c 3 high t\nq Q0 a 4 1 t\nq Q0 d 5 nan t\n")
    with pytest.raises(InputError) as caught:
        read_run(path)
    reported = str(caught.value).split("\n")
    assert [line.split(": ")[0] for line in reported] == [f"{path}:{n}" for n in (2, 3, 4, 5)]
    assert "has six fields" in reported[0]
    assert "this one has 5" in reported[0]
    assert "'high' is not a number" in reported[1]
    assert "'a' occurs twice for question 'q'" in reported[2]


def test_what_the_format_cannot_carry_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    with pytest.raises(InputError, match=r"'rule 1': it contains white space\."):
        write_run(path, {"q": (("rule 1", 1.0),)})
    with pytest.raises(InputError, match="same passage twice"):
        write_run(path, {"q": (("a", 1.0), ("a", 0.5))})
    with pytest.raises(InputError, match="score nan"):
        write_run(path, {"q": (("a", math.nan),)})
    assert not path.exists()


def test_failed_write_keeps_the_run_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    write_run(path, {"q": (("a", 1.0),)})
    with pytest.raises(InputError):
        write_run(path, {"q": (("b", math.inf),)})
    assert read_run(path) == {"q": (("a", 1.0),)}


def test_unwritable_place_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        write_run(tmp_path / "nowhere" / "run.txt", {"q": (("a", 1.0),)})
