"""Files that cost too much are ended and refused by name; the others are loaded."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from rirag.server.jobs import trial
from search.errors import CancelledError

CHILD = """
import json, sys, time
print(flush=True)
for path in json.load(sys.stdin):
    text = open(path).read()
    if text == "large": held = bytearray(400 * 2**20); time.sleep(60)
    if text == "dies": sys.exit(1)
    if text == "slow": time.sleep(60)
    print(flush=True)
"""
"""Does what each file says."""


def files(folder: Path, *texts: str) -> list[Path]:
    made = []
    for number, text in enumerate(texts):
        made.append(folder / f"{number}.txt")
        made[-1].write_text(text)
    return made


@pytest.mark.parametrize(
    ("text", "why"), [("large", "too much memory"), ("dies", "too long"), ("slow", "too long")]
)
def test_a_file_beyond_its_budget_is_refused_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    monkeypatch.setattr(trial, "_COMMAND", (sys.executable, "-c", CHILD))
    if text == "slow":
        monkeypatch.setattr(trial, "IDLE_S", 2.0)
    good, bad, last = files(tmp_path, "good", text, "good")
    paths, refused = trial.sift([good, bad, last], lambda: False)
    assert paths == [good, last]
    assert len(refused) == 1 and str(bad) in refused[0] and why in refused[0]


def test_the_process_that_reads_has_a_limit_of_its_own_and_reads_bad_files(tmp_path: Path) -> None:
    paths = files(tmp_path, "# Lamps\n\n1.1 Light it.\n", "\0\0")
    assert trial.sift(paths, lambda: False) == (paths, ())  # what is wrong, the load says


def test_a_cancelled_trial_ends_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_COMMAND", (sys.executable, "-c", CHILD))
    begun = time.monotonic()
    with pytest.raises(CancelledError):
        trial.sift(files(tmp_path, "slow"), lambda: time.monotonic() - begun > 0.5)
    assert time.monotonic() - begun < 5
