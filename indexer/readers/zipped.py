"""Members of a ZIP file, opened without trust: counted, and bounded when they are unpacked.

The limits hold whatever a packed part claims of itself.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from indexer.readers.files import empty_file, too_large, unusable
from indexer.readers.xml.parsing import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT_BYTES = 128 * 2**20
"""Largest text of a document, unpacked. The ADGM rulebooks have at most 9 MiB for 408 pages."""

PART_BYTES = 32 * 2**20
"""Largest other part (styles, lists, notes), which is held in memory whole."""

RATIO = 200
"""Most bytes a packed byte may stand for. Word's own parts reach 40; zeros reach 1,000."""

RATIO_FREE = 2**20
"""Bytes of a part that are below suspicion: short parts of blanks pack very well."""

_CHUNK = 65_536

MEMBERS = 20_000
"""Most members of a package; a document with as many pictures has no such size."""

PROTECTED = "is protected by a password; save it without one"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing that documents know (ECMA-376, part 2, annex B)."""
UNPACKING_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, UnicodeDecodeError,
)  # fmt: skip
"""What the library answers to a damaged member."""
_OTHER = "not a ZIP file, whatever its name says; give it its right suffix"
_BROKEN = "the file is damaged or cut off ({}); save it again"


@dataclass(slots=True)
class BoundedPart:
    """A part of a package that is counted while it is unpacked."""

    file: IO[bytes]
    info: zipfile.ZipInfo
    path: Path
    """Of the package, for the message."""
    most: int
    """Bytes that the part may have."""
    size: int = 0

    def read(self, size: int = _CHUNK) -> bytes:
        """Return the next bytes.

        Raises:
            InputError: the part unpacks to more than a document can need.
        """
        data = self.file.read(size if 0 < size < _CHUNK else _CHUNK)
        self.size += len(data)
        bomb = self.size > RATIO_FREE and self.size > RATIO * max(self.info.compress_size, 1)
        if bomb or self.size > self.most:
            what = f"{self.info.filename} unpacks to far more than a document can hold"
            raise too_large(self.path, f"{what}; check the source of the file")
        return data


def open_zip(
    path: Path, *, other: str = _OTHER, broken: str = _BROKEN, whole: str = "it"
) -> zipfile.ZipFile:
    """Return an opened ZIP file.

    Args:
        path: of the file.
        other: message on a file of another format.
        broken: message on a damaged file, with a place for what is wrong.
        whole: what messages call the file.

    Raises:
        InputError: it is none, is damaged, or has too many members.
    """
    with path.open("rb") as file:
        beginning = file.read(4)
    if not beginning:
        raise empty_file(path)
    if not beginning.startswith(b"PK"):
        raise unusable(other, path)
    try:
        opened = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise unusable(broken.format("its list of parts is missing"), path) from error
    if len(opened.filelist) > MEMBERS:
        opened.close()
        raise too_large(path, f"has more than {MEMBERS:,} parts; split {whole}")
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
        raise unusable(PROTECTED, path)
    problem = broken.format(f"{name} cannot be unpacked")
    if info.compress_type not in _PACKED:
        raise unusable(problem, path)
    try:
        with opened.open(info) as file:
            yield BoundedPart(file, info, path, most)
    except UNPACKING_ERRORS as error:
        raise unusable(problem, path) from error


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


def open_document(opened: zipfile.ZipFile, path: Path) -> _Element:
    """Return the root of the part of an OpenDocument file that holds what a person wrote.

    Raises:
        InputError: there is none, or it is damaged or protected.
    """
    content = member_bytes(opened, "content.xml", path, TEXT_BYTES)
    if content is None:
        raise unusable(
            "a ZIP file without an OpenDocument file in it; give it its right suffix", path
        )
    if b"encryption-data" in (member_bytes(opened, "META-INF/manifest.xml", path) or b""):
        raise unusable(PROTECTED, path)
    return parse_xml(content, path)
