"""An invented act in three versions: a fee rises, and then its section moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer import IngestReport

Load = Callable[..., "IngestReport"]
"""Loads a text as the version of a day."""

FIRST = """---
document_id: lamp-act
title: Lamp Act
---
# Lamp Act

## Section 1 Lamps

Every owner of a lamp must keep it burning until sunrise.

## Section 2 Fees

A person who keeps a lamp must pay a fee of 50 crowns.
"""
SECOND = FIRST.replace("50 crowns", "60 crowns")
THIRD = SECOND.replace("## Section 2", "## Section 3").replace(
    "## Section 3",
    "## Section 2 Oil\n\nThe keeper must hold the oil in sealed jars.\n\n## Section 3",
)

VERSIONS = {"2020-01-01": FIRST, "2022-07-01": SECOND, "2024-01-01": THIRD}
"""First day → text."""


def ingest_lamp_act(folder: Path, **metadata: str) -> Path:
    """Load the three versions; return the index."""
    import indexer

    for day, text in VERSIONS.items():
        path = folder / "act.md"
        path.write_text(text)
        indexer.ingest(path, folder / "index", valid_from=day, metadata=metadata)
    return folder / "index"
