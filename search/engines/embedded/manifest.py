"""The manifest of a generation: what it holds, made by which encoder, and its checksums."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from search.engines.embedded.layout import MANIFEST, MEND, mend
from search.engines.protocol import SCHEMA_VERSION
from search.engines.schema import StoredDescription
from search.errors import IndexCorruptError, IndexUnavailableError

CHECK_ON_OPEN_BYTES = 256 * 2**20
"""Indexes up to this size are checked against their CRC-32 on every open (some 0.1 s); larger
ones by size only, and in full by `rirag doctor`."""


class StoredFile(BaseModel):
    """Size in bytes and CRC-32 of one file."""

    model_config = ConfigDict(frozen=True)
    size: int
    crc32: int


class Manifest(StoredDescription):
    """What is in `manifest.json`."""

    files: dict[str, StoredFile]

    @property
    def size_bytes(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files.values())

    def state(self, folder: Path) -> str:
        """Return the name of a generation's folder with a checksum of all checksums.

        The name alone comes again where somebody removes the index, or goes back by hand.
        """
        return f"{folder.name} {zlib.crc32(self.model_dump_json().encode()):08x}"

    def write(self, folder: Path) -> None:
        """Write the manifest, sealed with a checksum of its own, into a generation's folder."""
        body = self.model_dump_json(indent=1)
        seal = f"{zlib.crc32(body.encode()):08x}"
        (folder / MANIFEST).write_text(f"{body}\n{seal}\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the manifest of a generation.

        Raises:
            IndexCorruptError: it is missing or damaged.
            IndexUnavailableError: a newer rirag wrote it.
        """
        path = folder / MANIFEST
        try:
            body, _, seal = path.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")
            if f"{zlib.crc32(body.encode()):08x}" != seal:
                raise IndexCorruptError(f"{path} is damaged: {MEND}")
            version = json.loads(body)["schema_version"]
            if version > SCHEMA_VERSION:
                raise IndexUnavailableError(
                    f"{folder} was written by a newer rirag (index version {version}, this one "
                    f"reads up to {SCHEMA_VERSION}); upgrade rirag, or ingest into another folder",
                    code="index.newer",
                )
            return cls.model_validate_json(body)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise IndexCorruptError(f"{path} is damaged or missing: {mend(error)}") from error

    def problems(self, folder: Path, *, checksums: bool) -> list[str]:
        """Compare the files with the manifest; return one sentence for each that differs."""
        found = []
        for name, expected in self.files.items():
            path = folder / name
            try:
                size = path.stat().st_size
                if size != expected.size:
                    found.append(f"{path} has {size} bytes instead of {expected.size}: {MEND}")
                elif checksums and crc32(path) != expected.crc32:
                    found.append(f"{path} is damaged (its checksum differs): {MEND}")
            except OSError as error:
                found.append(f"{path} cannot be read ({error.strerror}): {mend(error)}")
        return found


def stored_files(folder: Path) -> dict[str, StoredFile]:
    """Measure every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): StoredFile(size=path.stat().st_size, crc32=crc32(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock")
    }


def crc32(path: Path) -> int:
    """Return the CRC-32 of a file, read in pieces."""
    value = 0
    with path.open("rb") as file:
        while piece := file.read(2**20):
            value = zlib.crc32(piece, value)
    return value
