"""Begins a load in a process of its own and holds it until it is killed."""

from __future__ import annotations

import sys
import time

from engine_samples import ENCODER
from processes import say

from search.engines.embedded import EmbeddedBackend

if __name__ == "__main__":
    with EmbeddedBackend().load(sys.argv[1], ENCODER):
        say("holding")
        time.sleep(600)
