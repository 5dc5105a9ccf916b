"""`scripts/english` finds habits in pages, messages and help, and none are left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT


def english(*files: Path) -> subprocess.CompletedProcess[str]:
    """Run scripts/english on files, or on all."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "english"), *map(str, files)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_pages_messages_and_help_have_none_of_the_habits() -> None:
    checked = english()

    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "The reason is told below."),
        ("page.md", "The load is built anew."),
        ("message.py", 'raise ValueError(f"the file {name} is no rulebook, and tells nothing")'),
        ("docs.py", 'def reads() -> bool:\n    """Tell whether it reads."""'),
        ("help.py", '@click.command()\ndef load():\n    """Load, and go on with what is left."""'),
    ],
)
def test_a_habit_is_named_with_its_line(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(f"\n{text}\n", encoding="utf-8")

    checked = english(file)

    assert checked.returncode == 1
    assert f"{name}:" in checked.stdout and ": write " in checked.stdout


def test_code_patterns_names_and_comments_are_not_prose(tmp_path: Path) -> None:
    file = tmp_path / "fine.py"
    file.write_text(
        'KEY = "anew"\n# what is told\nWORDS = r"\\b(?:is told anew)\\b"\n', encoding="utf-8"
    )
    page = tmp_path / "fine.md"
    page.write_text("```text\nbuilt anew\n```\nUse `what is told`.\n", encoding="utf-8")

    assert english(file, page).returncode == 0
