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
"""The pages that are kept current."""

LOGS = tuple(sorted((ROOT / "docs" / "research").glob("*.md")))
"""Dated pages, of which only the links are kept current."""
