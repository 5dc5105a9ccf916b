"""Loads a source in a process of its own, which may write no file above a size.

    python limited_loader.py INDEX SOURCE [BYTES]

Ends as the command line does: with the sentence and the exit code of the error.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from crash_loader import announce
from engine_samples import HashedWords
from processes import say

from indexer import ingest
from search.errors import RiragError

if __name__ == "__main__":
    if len(sys.argv) > 3:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
    try:
        ingest([Path(sys.argv[2])], sys.argv[1], encoder=HashedWords(), progress=announce)
    except RiragError as error:
        say(f"{type(error).__name__}: {error}")
        sys.exit(error.exit_code)
