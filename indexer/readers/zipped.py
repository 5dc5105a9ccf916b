"""Members of a ZIP file, opened without trust: counted, and bounded when they are unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.readers.files import empty_file, unreadable
from indexer.readers.unpacking import PART_BYTES, BoundedPart
from search.errors import InputError

MEMBERS = 20_000
"""Most members of a package; a document with as many pictures has no such size."""

PROTECTED = "is protected by a password; save it without one"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing that documents know (ECMA-376, part 2, annex B)."""
UNPACKING_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, UnicodeDecodeError,
)  # fmt: skip
"""What the library answers to a damaged member."""
_BROKEN = "the file is damaged or cut off ({}); save it again"


def open_zip(path: Path) -> zipfile.ZipFile:
    """Return an opened ZIP file.

    Raises:
        InputError: it is none, is damaged, or has too many members.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(4)
    except OSError as error:
        raise unreadable(path, error) from error
    if not beginning:
        raise empty_file(path)
    if not beginning.startswith(b"PK"):
        raise InputError(
            "not a ZIP file, whatever its name says; give it its right suffix",
            path,
            code="source.invalid",
        )
    return open_members(path)


def open_members(path: Path, broken: str = _BROKEN, whole: str = "it") -> zipfile.ZipFile:
    """Return an opened ZIP file, whose beginning is known to be that of one.

    Args:
        path: of the file.
        broken: message on a damaged file, with a place for what is wrong.
        whole: what messages call the file.

    Raises:
        InputError: it is damaged, or has too many members.
    """
    try:
        opened = zipfile.ZipFile(path)
    except OSError as error:
        raise unreadable(path, error) from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(
            broken.format("its list of parts is missing"), path, code="source.invalid"
        ) from error
    if len(opened.filelist) > MEMBERS:
        opened.close()
        raise InputError(
            f"has more than {MEMBERS:,} parts; split {whole}", path, code="source.too-large"
        )
    return opened


@contextmanager
def open_member(
    opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, path: Path, most: int,
    broken: str = _BROKEN,
) -> Iterator[BoundedPart]:  # fmt: skip
    """Open a member; errors of unpacking while it is read become a refusal.

    Args:
        opened: the ZIP file.
        info: of the member.
        name: of the member in messages.
        path: of the ZIP file.
        most: bytes that it may unpack to.
        broken: message on a damaged file, with a place for what is wrong.

    Raises:
        InputError: it is protected, damaged, or unpacks to more than `most` bytes.
    """
    if info.flag_bits & 1:
        raise InputError(PROTECTED, path, code="source.invalid")
    problem = broken.format(f"{name} cannot be unpacked")
    if info.compress_type not in _PACKED:
        raise InputError(problem, path, code="source.invalid")
    try:
        with BoundedPart(opened.open(info), info, path, most) as part:
            yield part
    except UNPACKING_ERRORS as error:
        raise InputError(problem, path, code="source.invalid") from error


def member_bytes(
    opened: zipfile.ZipFile, name: str, path: Path, most: int = PART_BYTES
) -> bytes | None:
    """Return what a member holds; None where there is no such member.

    Raises:
        InputError: as `open_member`.
    """
    try:
        info = opened.getinfo(name)
    except KeyError:
        return None
    with open_member(opened, info, name, path, most) as part:
        return b"".join(iter(part.read, b""))
