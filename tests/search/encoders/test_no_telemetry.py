"""The ONNX runtime can tell its maker what it does; here it must not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENCODE = """
from search.models.encoders import DEFAULT_ENCODER, load_encoder
load_encoder(DEFAULT_ENCODER).encode_questions(["a rule"])
"""


def test_encoding_leaves_nothing_in_the_home_folder_for_a_telemetry_service(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run(
        [sys.executable, "-c", ENCODE],
        env=kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
