"""What every test of this folder starts from."""

from __future__ import annotations

import pytest

from generation.llm.openai.dialect import MEMORY


@pytest.fixture(autouse=True)
def _nothing_is_known_of_any_server() -> None:
    # Ports are used again, and what was learned of a server holds for its address.
    MEMORY.forget()
