"""Reading a PDF in a process of its own, within bounds of time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from indexer.readers.files import empty_file, too_large, unusable
from indexer.readers.pdf.drawn.pages import Page, page_of

MEMORY_BYTES = 2**30
"""Address space of the process. The 408 pages of the ADGM's PRU take 120 MiB of it."""

RECOGNITION_BYTES = 8 * 2**30
"""Address space of the process that recognises letters, most of it reserved and never used."""

PAGE_S = 60.0
"""Seconds that one page, or opening the file, may take. The ADGM rulebooks take 0.02 a page."""

FILE_S = 1800.0
"""Seconds that a file may take."""

FILE_BYTES = 512 * 2**20
"""Largest file; regulations are text, and 512 MiB of them are pictures of pages."""

PAGES = 10_000
"""Most pages of a document."""

WORDS = 5_000_000
"""Most words of a document; the longest ADGM rulebook has 127,573."""

LINE_BYTES = 64 * 2**20
"""Most that is taken of one page; a densely printed one has 0.2 MiB."""

BEGINNING = 1024
"""Bytes within which a PDF says what it is."""

_SCRIPT = Path(__file__).with_name("extraction.py")
_SIGN = b"%PDF-"

_NO_PDF = "not a PDF despite its suffix; correct the suffix"
_DAMAGED = "the file is damaged or truncated; open it in a PDF viewer and save it again"
_REFUSED = {
    "password": "is protected by a password; save it without one",
    "security": "is encrypted in a way that cannot be opened; save it without encryption",
}
_TOO_LONG = "page {} takes too long to read; print it to a new PDF file"
_TOO_LONG_TO_OPEN = "takes too long to open; print it to a new PDF file"
_TOO_MANY_WORDS = f"has more than {WORDS:,} words; split it"
_UNRECOGNISED = "the letters of page {} cannot be recognised; save it with recognised text (OCR)"
_DIED = (
    "page {} cannot be read: it is damaged, or asks for more memory than a document needs; "
    "print it to a new PDF file"
)


def read_pages(path: Path) -> Iterator[Page]:
    """Yield the pages of a PDF.

    Raises:
        InputError: it is not a PDF, is protected, damaged, too large, or takes too long.
    """
    _check(path)
    with _Extraction(path, MEMORY_BYTES) as extraction:
        words = 0
        for number in range(1, _page_count(extraction, path) + 1):
            record = extraction.record()
            if record is None:
                problem = _TOO_LONG if extraction.timed_out else _DIED
                raise unusable(problem.format(number), path)
            page = page_of(record, number)
            words += len(page.words)
            if words > WORDS:
                raise too_large(path, _TOO_MANY_WORDS)
            yield page


def can_recognise() -> bool:
    """Return whether the extra that recognises letters is installed."""
    return find_spec("rapidocr") is not None


def recognised_pages(path: Path, numbers: Sequence[int]) -> Iterator[Page]:
    """Yield pages that are pictures with the words that were recognised on them.

    Raises:
        InputError: a page takes too long, or cannot be drawn.
    """
    with _Extraction(path, RECOGNITION_BYTES, *numbers) as extraction:
        ready = extraction.record()
        for number in numbers:
            record = extraction.record() if ready else None
            if record is None:
                problem = _TOO_LONG if extraction.timed_out else _UNRECOGNISED
                raise unusable(problem.format(number), path)
            yield page_of(record, number)


def _page_count(extraction: _Extraction, path: Path) -> int:
    opening = extraction.record()
    if opening is None:
        raise too_large(path, _TOO_LONG_TO_OPEN if extraction.timed_out else _DAMAGED)
    if "error" in opening:
        raise unusable(_REFUSED.get(str(opening["error"]), _DAMAGED), path)
    count = int(opening["pages"])
    if count <= 0:
        raise unusable(_DAMAGED, path)
    if count > PAGES:
        raise too_large(path, f"has more than {PAGES:,} pages; split it")
    return count


def _check(path: Path) -> None:
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    if not beginning:
        raise empty_file(path)
    if _SIGN not in beginning:
        raise unusable(_NO_PDF, path)
    if path.stat().st_size > FILE_BYTES:
        raise too_large(path, f"has more than {FILE_BYTES >> 20} MiB; split it")


class _Extraction:
    """The process, as a context manager that ends it in any case."""

    def __init__(self, *arguments: object) -> None:
        self.timed_out = False
        self._end = time.monotonic() + FILE_S
        self._process = subprocess.Popen(  # noqa: S603 - this Python, a script of ours
            [sys.executable, "-P", str(_SCRIPT), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> _Extraction:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._output.close()

    @property
    def _output(self) -> IO[bytes]:
        output = self._process.stdout
        assert output is not None  # noqa: S101 - Popen was asked for a pipe
        return output

    def record(self) -> dict[str, Any] | None:
        """Return the next record; None where the process ended, or was ended for its slowness."""
        left = max(0.0, self._end - time.monotonic())
        clock = threading.Timer(min(PAGE_S, left), self._give_up)
        clock.daemon = True
        clock.start()
        try:
            line = self._output.readline(LINE_BYTES)
        finally:
            clock.cancel()
        if not line.endswith(b"\n"):
            return None
        record: dict[str, Any] = json.loads(line)
        return record

    def _give_up(self) -> None:
        self.timed_out = True
        self._process.kill()
