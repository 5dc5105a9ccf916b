"""Add the options of `options.toml` to the commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rirag.cli import options as core

options = partial(core.options, file=Path(__file__).with_name("options.toml"))
