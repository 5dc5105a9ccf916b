"""The worked example of docs/delegate.md is what the example prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- output of examples/sql_proxy.py: \w+ -->\n```text\n(.*?)\n```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d\d s\b")


@pytest.mark.corpus
def test_the_page_shows_the_output_of_the_example(data_folder: Path) -> None:
    act = data_folder / "eu" / "ai-act" / "2026-07-27.fmx4.xml"
    if not act.is_file():
        pytest.skip("the AI Act is not here; set RIRAG_DATA to the folder that holds eu/ai-act")
    command = [sys.executable, str(ROOT / "examples" / "sql_proxy.py"), str(act)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    printed = SECONDS.sub("0.00 s", done.stdout)
    blocks = BLOCK.findall((ROOT / "docs" / "delegate.md").read_text(encoding="utf-8"))
    assert len(blocks) == 2
    for block in blocks:
        for piece in re.split(r"^…\n?", SECONDS.sub("0.00 s", block), flags=re.MULTILINE):
            assert piece.strip() in printed
