"""Where the hand-made references and those found differ: who is right, as a person read it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

VERDICTS = Path(__file__).resolve().parent / "questions" / "reference_verdicts.jsonl"
"""One line an edge: `source`, `target` (passage IDs), `kind` and `right` (`found` or `gold`)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was read of one edge that only one side has."""

    kind: str
    """The kind of disagreement, in a few words."""
    right: str
    """`found` or `gold`."""


def read_verdicts() -> dict[tuple[str, str], Verdict]:
    """Return (source ID, target ID) → verdict."""
    lines = VERDICTS.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    return {(one["source"], one["target"]): Verdict(one["kind"], one["right"]) for one in records}
