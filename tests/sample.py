"""The sample rulebook as an index, and small sources made on the spot."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import zlib
from pathlib import Path
from typing import Any

import indexer

RULEBOOK = Path(__file__).resolve().parent.parent / "examples" / "rulebook"
QUESTIONS = RULEBOOK / "questions.json"
DOCUMENTS = ("AMLR", "COND", "GLOS", "GOVN")
"""The documents of the rulebook, in the order they are loaded."""

PASSAGES = 228

BUILT_ONCE = "TESTS_BUILT_ONCE"
"""Environment variable with the folder in which the processes of a run share what they build."""


def ingest_rulebook(folder: Path) -> Path:
    """Copy the index of the sample rulebook, which a run builds once, to a folder; return it."""
    built = Path(os.environ[BUILT_ONCE]) / "sample-rulebook"
    with built.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built / "CURRENT").exists():
            indexer.ingest([RULEBOOK], str(built))
    return shutil.copytree(built, folder, dirs_exist_ok=True)


def record(number: str, text: str, *, id: str = "", **fields: Any) -> dict[str, Any]:  # noqa: A002
    """Return one passage in the corpus format; its `ID` is its number unless given."""
    common = {"ID": id or f"id-{number}", "DocumentID": "ACT", "DocumentTitle": "Widget Act"}
    return {**common, "PassageID": number, "Passage": text, **fields}


def write_lines(path: Path, *values: object) -> Path:
    """Write one JSON value a line; text is written as it is."""
    lines = [value if isinstance(value, str) else json.dumps(value) for value in values]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def change_manifest(index: Path, **fields: Any) -> None:
    """Rewrite fields of an index's manifest, and seal it again."""
    (manifest,) = index.glob("generations/*/manifest.json")
    body, _, _ = manifest.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")
    changed = json.dumps({**json.loads(body), **fields})
    manifest.write_text(f"{changed}\n{zlib.crc32(changed.encode()):08x}\n", encoding="utf-8")
