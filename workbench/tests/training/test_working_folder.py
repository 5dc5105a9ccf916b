"""A working folder belongs to one run, from its beginning."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from rirag_workbench.training.runs.record import claim, last_checkpoint, refuse_other_run
from search.errors import InputError


@pytest.mark.parametrize(
    ("now", "message"),
    [
        ({"kind": "encoder", "data": [1]}, None),
        ({"kind": "encoder", "data": [2]}, "started with other data; resume it with the same,"),
        ({"kind": "reranker"}, "started with other data, kind; resume it with the same,"),
    ],
)
def test_a_run_that_differs_is_told_in_what(
    tmp_path: Path, now: dict[str, Any], message: str | None
) -> None:
    refuse_other_run(tmp_path, now, resume=True)
    claim(tmp_path, {"kind": "encoder", "data": [1]})
    with pytest.raises(InputError, match=message) if message else nullcontext():
        refuse_other_run(tmp_path, now, resume=True)
    with pytest.raises(InputError, match="holds an unfinished training run"):
        refuse_other_run(tmp_path, now, resume=False)


def test_a_checkpoint_that_was_cut_off_is_passed_over(tmp_path: Path) -> None:
    assert last_checkpoint(tmp_path) is None
    for step in (9, 10, 11):
        (tmp_path / f"checkpoint-{step}").mkdir()
    for step in (9, 10):
        (tmp_path / f"checkpoint-{step}" / "trainer_state.json").touch()
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoint-10"


def test_a_folder_with_a_start_that_is_none_is_refused(tmp_path: Path) -> None:
    for start in ("{", "[1]"):
        (tmp_path / "started.json").write_text(start, encoding="utf-8")
        with pytest.raises(
            InputError, match=r"started\.json: this file does not belong to a training run"
        ):
            refuse_other_run(tmp_path, {}, resume=True)
