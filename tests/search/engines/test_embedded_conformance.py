"""The embedded engine does what every engine must do."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance import EngineConformance
from engine_samples import IndexUnderTest

from search.engines.embedded import EmbeddedBackend


class TestEmbeddedEngine(EngineConformance):
    """All of the conformance suite, on a folder."""

    @pytest.fixture
    def index(self, tmp_path: Path) -> IndexUnderTest:
        # Characters that mean something in a URL, a glob or SQL mean nothing in a folder's name.
        return IndexUnderTest(EmbeddedBackend(), str(tmp_path / "it's an index?#%20[x] é"))
