"""Limits on what a packed part may unpack to, whatever it claims of itself."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import IO

from search.errors import InputError

TEXT_BYTES = 128 * 2**20
"""Largest text of a document, unpacked. The ADGM rulebooks have at most 9 MiB for 408 pages."""

PART_BYTES = 32 * 2**20
"""Largest other part (styles, lists, notes), which is held in memory whole."""

RATIO = 200
"""Most bytes a packed byte may stand for. Word's own parts reach 40; zeros reach 1,000."""

RATIO_FREE = 2**20
"""Bytes of a part that are below suspicion: short parts of blanks pack very well."""

_CHUNK = 65_536


class BoundedPart:
    """A part of a package that is counted while it is unpacked."""

    def __init__(self, file: IO[bytes], info: zipfile.ZipInfo, path: Path, most: int) -> None:
        """Read a part.

        Args:
            file: the open part.
            info: its entry in the package.
            path: the package, for the message.
            most: bytes that it may have.
        """
        self._file, self._info, self._path, self._most = file, info, path, most
        self._size = 0

    def __enter__(self) -> BoundedPart:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int = _CHUNK) -> bytes:
        """Return the next bytes.

        Raises:
            InputError: the part unpacks to more than a document can need.
        """
        data = self._file.read(size if 0 < size < _CHUNK else _CHUNK)
        self._size += len(data)
        packed = max(self._info.compress_size, 1)
        bomb = self._size > RATIO_FREE and self._size > RATIO * packed
        if bomb or self._size > self._most:
            raise InputError(
                f"{self._info.filename} unpacks to far more than a document can hold; "
                "check the source of the file",
                self._path,
                code="source.too-large",
            )
        return data
