"""The sample rulebook as an index, and small sources made on the spot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import indexer

RULEBOOK = Path(__file__).resolve().parent.parent / "examples" / "rulebook"
DOCUMENTS = ("AMLR", "COND", "GLOS", "GOVN")
"""The documents of the rulebook, in the order they are loaded."""

PASSAGES = 228


def ingest_rulebook(folder: Path) -> Path:
    """Load the sample rulebook into an index folder; return the folder."""
    indexer.ingest([RULEBOOK], str(folder))
    return folder


def record(number: str, text: str, *, id: str = "", **fields: Any) -> dict[str, Any]:  # noqa: A002
    """Return one passage in the corpus format; its `ID` is its number unless given."""
    common = {"ID": id or f"id-{number}", "DocumentID": "ACT", "DocumentTitle": "Widget Act"}
    return {**common, "PassageID": number, "Passage": text, **fields}


def write_lines(path: Path, *values: object) -> Path:
    """Write one JSON value a line; text is written as it is."""
    lines = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
