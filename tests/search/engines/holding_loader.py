"""Begins a load in a process of its own, adds a vector, and holds the load until it is killed.

python holding_loader.py URL
"""

from __future__ import annotations

import sys
import time

from engine_samples import ENCODER, text_hash, vector
from processes import say

from search.engines import locate

if __name__ == "__main__":
    with locate(sys.argv[1]).load(sys.argv[1], ENCODER) as load:
        load.add_vectors([text_hash("saved")], vector("saved")[None])
        say("holding")
        time.sleep(600)
