"""Optional packages in tests: skip without them, unless they must be there."""

from __future__ import annotations

import importlib
import importlib.util
import os
from types import ModuleType

import pytest


def require(module_name: str) -> ModuleType:
    """Import and return a module; the test is skipped where it is not installed.

    With RIRAG_REQUIRE_EXTRAS=1 in the environment the test fails instead, so that a run that
    claims to have tested the extras has done so.
    """
    if importlib.util.find_spec(module_name) is None:
        reason = f"{module_name} is not installed"
        if os.environ.get("RIRAG_REQUIRE_EXTRAS") == "1":
            pytest.fail(f"{reason}, and RIRAG_REQUIRE_EXTRAS=1 demands it", pytrace=False)
        pytest.skip(reason)
    return importlib.import_module(module_name)
