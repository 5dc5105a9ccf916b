"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import patterns  # noqa: F401 - before the product, whose patterns it checks
import pytest
from extras import require
from hypothesis import settings
from sample import BUILT_ONCE

os.environ["RIRAG_SEARCH_HELP"] = "false"
"""A model of a test is asked for the answer alone; the tests of its help ask for that."""

ROOT = Path(__file__).resolve().parent.parent

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # What a shell starts with & ignores Ctrl-C, and so would all that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _built_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Name the folder in which the processes of a run share what they build."""
    own = tmp_path_factory.getbasetemp()
    os.environ[BUILT_ONCE] = str(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the ADGM corpus and its questions; the test is skipped without it."""
    folder = Path(os.environ.get("RIRAG_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "obliqa" / "documents").is_dir():
        pytest.skip("the ADGM corpus is not here; set RIRAG_DATA to its folder")
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the tests of the extras where these are not installed."""
    if item.get_closest_marker("torch"):
        require("sentence_transformers")
    if item.get_closest_marker("llm"):
        require("xllamacpp")
