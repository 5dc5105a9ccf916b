"""Some of many, taken from all over them."""

from __future__ import annotations

from rirag_workbench.evaluation.spread import spread


def test_a_limit_leaves_no_part_of_a_file_out() -> None:
    assert spread(range(100), 4) == [0, 25, 50, 75]
    assert spread(range(10), 3) == [0, 3, 6]
    assert spread([1, 2], 4) == [1, 2]
    assert spread([1, 2], None) == [1, 2]
