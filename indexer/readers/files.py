"""Files as readers see them: of bounded size, and text in UTF-8 with or without a mark."""

from __future__ import annotations

import errno
import logging
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from indexer.problems import Problems
from search.errors import InputError, RiragError

LOG = logging.getLogger(__name__)

ENCODING = "utf-8-sig"
"""UTF-8; a byte-order mark at the start is skipped."""

MOST_BYTES = 32 << 20
"""Largest file that is read whole, 32 MiB; the largest EU act at hand has 2. A page of 28 MiB takes
183 MiB of memory on the way (measured)."""

MOST_TAGS = 1_000_000
"""Tags of one page or XML file at most: an element takes some 800 bytes on the way to passages. An
act of 28 MiB has 620,000."""


WINDOWS = "Windows-1252"
_SAMPLE, _ZEROS = 4096, 0.4
"""Bytes at the beginning, and the share of zeros among every second one that shows UTF-16."""
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""A tenth of random bytes."""
_ACCENTED = re.compile(f"[{bytes(range(128, 256)).decode(WINDOWS, 'replace')}]")
"""A tenth of French, and most of Russian or Chinese whose bytes were read as Windows-1252."""

_MACHINE = frozenset({
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
})  # fmt: skip
"""Errors of the disk or the system, which no other file escapes."""
_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"


@contextmanager
def refused_on_error(path: Path) -> Iterator[None]:
    """Turn whatever a reader raises into a refusal of its file, and log what a bug report needs.

    Raises:
        InputError: the reader failed.
    """
    try:
        yield
    except (RiragError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno:
            if error.errno in _MACHINE:
                raise
            raise unreadable(path, error) from error
        name, message = type(error).__name__, " ".join(str(error).split())[:300]
        ours = [one for one in extract_tb(error.__traceback__) if _PACKAGE in one.filename]
        place = ours[-1].filename.rpartition(_PACKAGE)[2], ours[-1].lineno
        LOG.info("a reader failed on %s: %s: %s (indexer/%s:%s)", path, name, message, *place)
        raise InputError(
            f"cannot be read because of an error in rirag ({name}); save the file in another "
            "format, and report the error",
            path,
            code="source.failed",
        ) from error


def file_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        InputError: it is too large or empty.
    """
    if path.stat().st_size > MOST_BYTES:
        raise too_large(path)
    data = path.read_bytes()
    if not data.strip():
        raise empty_file(path)
    return data


def read_text(path: Path, problems: Problems) -> str:
    """Return a file's text with `\\n` line ends; an encoding that is a guess is noted.

    Raises:
        InputError: the file cannot be used.
    """
    text, guess = guessed_text(file_bytes(path))
    if not is_text(text):
        problem = "not text, or in an unknown encoding; save it as text in UTF-8"
        raise InputError(problem, path, code="source.encoding")
    if guess:
        problems.guesses.append(f"{path.name} is not UTF-8 and was read as {guess}.")
    if not text.strip():
        raise empty_file(path)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def guessed_text(data: bytes, *, whole: bool = True) -> tuple[str, str]:
    """Return text whose encoding nothing names, and the encoding if it is a guess, else "".

    UTF-16 shows by its mark, or by zeros in every second byte; what is not UTF-8 is Windows-1252.

    Args:
        data: the bytes.
        whole: whether they end with a whole character.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace"), ""
    for start, encoding in ((1, "UTF-16-LE"), (0, "UTF-16-BE")):
        sample = data[start:_SAMPLE:2]
        if sample.count(0) > _ZEROS * len(sample):
            return data.decode(encoding, errors="replace"), encoding
    try:
        return getincrementaldecoder(ENCODING)().decode(data, whole), ""
    except UnicodeDecodeError:
        return data.decode(WINDOWS, errors="replace"), WINDOWS


def is_text(text: str) -> bool:
    """Return whether decoded bytes are text: neither binary nor letters of another encoding."""
    controls, accented = len(_CONTROLS.findall(text)), len(_ACCENTED.findall(text))
    return "\0" not in text and controls <= 0.01 * len(text) and accented <= 0.3 * len(text)


def unusable(problem: str, source: object = None, line: int | None = None) -> InputError:
    """Return the error for a file whose content cannot be used."""
    return InputError(problem, source, line, code="source.invalid")


def too_large(
    path: Path, problem: str = f"has more than {MOST_BYTES >> 20} MiB; split it"
) -> InputError:
    """Return the error for a file, or its text, that is larger than a document can be."""
    return InputError(problem, path, code="source.too-large")


def check_tags(path: Path, markup: bytes) -> None:
    """Refuse a page or XML with more elements than memory should hold."""
    if markup.count(b"<") > MOST_TAGS:
        raise too_large(path, f"has more than {MOST_TAGS:,} tags; split it")


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that the system does not give."""
    return InputError(
        f"cannot be read ({error.strerror}); check its permissions", path, code="source.unreadable"
    )


def empty_file(path: Path) -> InputError:
    """Return the error for a file without content."""
    return InputError(
        "the file is empty; give a file that contains passages", path, code="source.empty"
    )


def broken_utf8(path: Path) -> InputError:
    """Return the error for a file that is not UTF-8, with the line of the first bad byte."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                problem = f"byte {error.start + 1} of the line is not UTF-8; save the file as UTF-8"
                return unusable(problem, path, number)
    return InputError("the file is not UTF-8; save it as UTF-8", path, code="source.encoding")
