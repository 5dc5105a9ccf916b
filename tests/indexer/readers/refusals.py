"""What is said of a file that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.problems import Problems
from indexer.readers.files import refused_on_error
from indexer.readers.protocol import Reader
from search.errors import InputError
from search.records import Passage


def refusal_of(read: Callable[[Path], object], path: Path) -> str:
    """Return the one sentence of a refusal, without the path that it begins with."""
    with pytest.raises(InputError) as refused:
        read(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def heard(reader: Reader, path: Path, name: str = "") -> tuple[list[Passage], Problems]:
    """Return the passages of a file, and all that is wrong with it, as a load hears it."""
    problems = Problems()
    passages = []
    try:
        with refused_on_error(path):
            passages.extend(reader.read(path, name or path.name, problems))
    except InputError as error:
        problems.add(error)
    return passages, problems
