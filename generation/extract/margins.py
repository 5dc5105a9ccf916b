"""The margins and limits of each step, as data: `margins.toml` says what each is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace

UNITS, SCORE, CHOOSE, COMPLETE, WRITE = (
    SimpleNamespace(**step)
    for step in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).values()
)
