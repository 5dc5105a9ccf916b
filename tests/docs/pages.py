"""The repository's pages, for tests."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAGES = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "rulebook" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
