"""The margins and limits of the verifier, as data: `margins.toml` says what each is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace

SUPPORT, COMPARE, CONFLICTS, JUDGES = (
    SimpleNamespace(**table)
    for table in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).values()
)
