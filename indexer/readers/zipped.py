"""Members of a ZIP file, opened without trust: counted, and bounded when they are unpacked."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from indexer.readers.files import empty_file, unreadable
from indexer.readers.unpacking import PART_BYTES, BoundedPart
from search.errors import InputError

MEMBERS = 20_000
"""Most members of a package; a document with as many pictures has no such size."""

_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = "the file is damaged or cut off ({}); save it again"


def open_zip(path: Path) -> zipfile.ZipFile:
    """Return an opened ZIP file.

    Raises:
        InputError: it is none, is damaged, or has too many members.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(4)
        if not beginning:
            raise empty_file(path)
        if not beginning.startswith(b"PK"):
            raise InputError(
                "not a ZIP file, whatever its name says; give it its right suffix",
                path,
                code="source.invalid",
            )
        opened = zipfile.ZipFile(path)
    except OSError as error:
        raise unreadable(path, error) from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(
            _BROKEN.format("its list of parts is missing"), path, code="source.invalid"
        ) from error
    if len(opened.filelist) > MEMBERS:
        opened.close()
        raise InputError(
            f"has more than {MEMBERS:,} parts; split it", path, code="source.too-large"
        )
    return opened


def member_bytes(
    opened: zipfile.ZipFile, name: str, path: Path, most: int = PART_BYTES
) -> bytes | None:
    """Return what a member holds; None where there is no such member.

    Raises:
        InputError: it is protected, damaged, or unpacks to more than `most` bytes.
    """
    try:
        info = opened.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & 1:
        raise InputError(
            "is protected by a password; save it without one", path, code="source.invalid"
        )
    if info.compress_type not in _PACKED:
        raise InputError(_BROKEN.format(f"{name} cannot be unpacked"), path, code="source.invalid")
    pieces: list[bytes] = []
    try:
        with BoundedPart(opened.open(info), info, path, most) as part:
            while piece := part.read():
                pieces.append(piece)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise InputError(
            _BROKEN.format(f"{name} cannot be unpacked"), path, code="source.invalid"
        ) from error
    return b"".join(pieces)
