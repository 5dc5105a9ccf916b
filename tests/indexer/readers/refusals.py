"""The sentence with which a file is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from search.errors import InputError


def refusal_of(read: Callable[[Path], object], path: Path) -> str:
    """Return the one sentence of a refusal, without the path that it begins with."""
    with pytest.raises(InputError) as refused:
        read(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")
