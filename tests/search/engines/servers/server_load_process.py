"""Takes part in a load in a process of its own.

    python server_load_process.py hold URL             begins a load and holds it until killed
    python server_load_process.py claim URL BATCHES    joins a load, claims batches and holds them
    python server_load_process.py help URL BATCHES     joins a load and computes what is unclaimed

A batch is a list of texts, and BATCHES a JSON list of them.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from engine_samples import ENCODER, text_hash, vector
from processes import say

from search.engines import locate

if __name__ == "__main__":
    mode, url, *rest = sys.argv[1:]
    batches = json.loads(rest[0]) if rest else []
    if mode == "hold":
        with locate(url).load(url, ENCODER):
            say("holding")
            time.sleep(600)
    with locate(url).join(url, ENCODER) as share:
        for batch in batches:
            hashes = [text_hash(text) for text in batch]
            if share.known_vectors(hashes) or not share.claim(hashes):
                continue
            if mode == "help":
                share.add_vectors(hashes, np.stack([vector(text) for text in batch]))
            say(json.dumps(batch))
        say("holding" if mode == "claim" else "done")
        if mode == "claim":
            time.sleep(600)
