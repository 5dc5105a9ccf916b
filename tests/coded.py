"""Refusals by their code, for `pytest.raises(…, check=coded("index.closed"))`."""

from __future__ import annotations

from collections.abc import Callable

from search.errors import RiragError


def coded(code: str) -> Callable[[RiragError], bool]:
    """Return a check that an error has a code."""
    return lambda error: error.code == code
