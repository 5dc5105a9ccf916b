"""The repository's pages, for tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAGES = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "rulebook" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
)


def scripts_docs(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run scripts/docs and return how it ended and what it said."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "docs"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
