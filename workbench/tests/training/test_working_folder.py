"""A working folder belongs to one run, from its beginning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rirag_workbench.training.runs.record import claim, last_checkpoint, released_if_refused
from search.errors import InputError, ModelError


def refuse_base(work: Path) -> None:
    with pytest.raises(ModelError), released_if_refused(work):
        raise ModelError("base cannot be loaded")


def test_after_a_wrong_base_the_folder_takes_another_run(tmp_path: Path) -> None:
    work = tmp_path / "output" / "work"
    claim(work, {"base": "wrong"}, resume=False)
    refuse_base(work)
    assert not work.parent.exists()
    claim(work, {"base": "right"}, resume=False)


def test_a_run_that_has_rows_keeps_its_folder(tmp_path: Path) -> None:
    claim(tmp_path, {"base": "right"}, resume=False)
    (tmp_path / "rows.jsonl").touch()
    refuse_base(tmp_path)
    with pytest.raises(InputError, match="holds an unfinished training run"):
        claim(tmp_path, {"base": "right"}, resume=False)


def test_what_else_is_in_a_folder_is_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "output" / "notes.txt"
    work = notes.parent / "work"
    claim(work, {"base": "wrong"}, resume=False)
    notes.touch()
    refuse_base(work)
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("begun", "now", "message"),
    [
        ({"settings": {"seed": 1, "epochs": 2}}, {"settings": {"seed": 3, "epochs": 2}},
         r"with other settings \(seed 1, not 3\); resume it with the same,"),
        ({"data": [{"file": "a.jsonl", "sha256": "aa"}]}, {"data": []},
         r"with other data \(a\.jsonl, not none\)"),
        ({"data": [{"file": "a.jsonl", "sha256": "aa"}]},
         {"data": [{"file": "a.jsonl", "sha256": "bb"}]},
         r"with other data \(a\.jsonl, which has changed since\)"),
        ({"kind": "encoder"}, {"kind": "reranker"}, r"with other kind \(encoder, not reranker\)"),
    ],
)  # fmt: skip
def test_a_run_that_differs_is_told_in_what(
    tmp_path: Path, begun: dict[str, Any], now: dict[str, Any], message: str
) -> None:
    claim(tmp_path, begun, resume=False)
    with pytest.raises(InputError, match=message):
        claim(tmp_path, now, resume=True)


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
            claim(tmp_path, {}, resume=True)
