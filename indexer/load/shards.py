"""A load's vectors in files: which texts are in which, and where the files are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from search.errors import EncoderMismatchError, InputError, StorageError

if TYPE_CHECKING:
    from search.engines.vector_file import VectorFile
    from search.records import EncoderIdentity

SUFFIX = ".vectors"
_FORM = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal shares of all texts, chosen by the texts' hashes."""

    number: int = 1
    """From 1."""
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `3/16`.

        Raises:
            InputError: it has another form, or is outside 1/1 … N/N.
        """
        found = _FORM.fullmatch(text) if isinstance(text, str) else None
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise InputError(
                f"a shard is NUMBER/SHARDS, such as 3/16, with numbers from 1, not {text!r:.80}",
                code="shard.invalid",
            )
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def __contains__(self, text_hash: str) -> bool:
        return int(text_hash, 16) % self.of == self.number - 1

    def file(self, folder: Path) -> Path:
        """Return where the vectors of the shard are."""
        return folder / f"{self.number}-of-{self.of}{SUFFIX}"


@contextmanager
def opened(paths: Sequence[Path], encoder: EncoderIdentity) -> Iterator[list[VectorFile]]:
    """Open files of vectors; a file that does not exist is made.

    Raises:
        InputError: a file holds no vectors.
        EncoderMismatchError: a file holds the vectors of another encoder.
        StorageError: a file cannot be written.
    """
    from search.engines.vector_file import VectorFile, encoder_of_file

    with ExitStack() as files:
        found = []
        for path in paths:
            made_by = encoder_of_file(path) if path.exists() else encoder
            if made_by is None:
                raise InputError("this is not a file of vectors", path, code="vectors.invalid")
            if made_by != encoder:
                raise EncoderMismatchError(
                    f"{path} holds vectors of {made_by}, not of {encoder}; use --encoder "
                    f"{made_by.name}, or another folder"
                )
            with _written(path):
                found.append(VectorFile(path, encoder))
            files.callback(found[-1].close)
        yield found


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StorageError(f"cannot write {path} ({error})") from error


def files_in(folder: Path) -> list[Path]:
    """Return the files of vectors in a folder.

    Raises:
        InputError: there are none.
    """
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if not found:
        raise InputError(
            f"there are no vectors in {folder}; make them with: rirag encode SOURCE --output "
            f"{folder}",
            code="vectors.missing",
        )
    return found
