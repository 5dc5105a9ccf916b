"""The script of the README is the file in examples/, and prints what the README shows."""

from __future__ import annotations

import subprocess
import sys

from pages import ROOT

SCRIPT = ROOT / "examples" / "from_python.py"


def test_the_script_of_the_readme_prints_what_the_readme_shows(tmp_path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert SCRIPT.read_text(encoding="utf-8") in readme

    printed = subprocess.run(
        [sys.executable, str(SCRIPT)], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    lines = [line for line in printed.splitlines() if line]

    assert len(lines) >= 6
    shown = readme.partition("$ python examples/from_python.py\n")[2].splitlines()
    assert [_words(line) for line in lines] == [
        _words(line) for line in shown[: shown.index("```")] if line
    ]
    assert list(tmp_path.iterdir()) == []


def _words(line: str) -> str:
    """Leave out the score at the beginning, which processors round differently."""
    return line.split("  ", 1)[-1]


def test_the_script_is_short_enough_for_a_readme() -> None:
    filled = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line.strip()]

    assert len(filled) <= 18
