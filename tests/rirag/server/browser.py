"""A real Chromium, or a clear reason why there is none."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.extras import require


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium; the test is skipped where it is not installed.

    With RIRAG_REQUIRE_BROWSER=1 in the environment the test fails instead.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        reason = "Chromium is not installed (apt-get install chromium)"
        if os.environ.get("RIRAG_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{reason}, and RIRAG_REQUIRE_BROWSER=1 demands it", pytrace=False)
        pytest.skip(reason)
    playwright = require("playwright.sync_api")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()
