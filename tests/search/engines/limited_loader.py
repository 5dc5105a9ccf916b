"""Loads a source in a process of its own, which may write no file above a size."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from crash_loader import announce
from engine_samples import HashedWords
from processes import say

from indexer import ingest
from search.errors import RiragError


def load(index: str, source: Path, most_bytes: int | None = None) -> None:
    """Load a source; end as the command line does, with the sentence and code of the error."""
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes,) * 2)
    try:
        ingest([source], index, encoder=HashedWords(), progress=announce)
    except RiragError as error:
        say(f"{type(error).__name__}: {error}")
        sys.exit(error.exit_code)
