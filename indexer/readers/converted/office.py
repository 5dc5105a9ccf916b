"""Old Office files and Rich Text Format, by way of LibreOffice, which keeps their looks.

Where that is not installed or fails, RTF is read as plain text.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.readers.converted.reader import Converted
from indexer.readers.docx.reader import DocxReader
from indexer.readers.files import file_bytes, unusable
from indexer.readers.text.reader import TextReader
from search.errors import InputError

SUFFIXES = frozenset({".doc", ".dot", ".wpd", ".wps"})
SECONDS = 60.0
"""That LibreOffice may take for one file; it starts in five."""

_PROGRAMS = ("soffice", "libreoffice")


def is_installed() -> bool:
    """Return whether LibreOffice can be called."""
    return _program() is not None


def office_to_docx(path: Path, folder: Path) -> Converted:
    """Write a Word document of today.

    Raises:
        InputError: LibreOffice is not installed, or cannot read the file.
    """
    program = _program()
    if program is None:
        raise InputError(
            "is read by way of LibreOffice, which is not installed; install it, or save the file "
            "as .docx",
            path,
            code="source.unreadable",
        )
    with TemporaryDirectory(prefix="rirag-office-") as profile:
        command = [
            program, f"-env:UserInstallation={Path(profile).as_uri()}", "--headless", "--norestore",
            "--convert-to", "docx", "--outdir", str(folder), str(path.resolve()),
        ]  # fmt: skip
        try:
            _run(command)
        except subprocess.TimeoutExpired as error:
            raise unusable(
                "LibreOffice takes too long to read it; save it as .docx", path
            ) from error
        except (subprocess.CalledProcessError, OSError) as error:
            raise unusable("LibreOffice cannot read it; save it as .docx", path) from error
    made = folder / f"{path.stem}.docx"
    if not made.is_file():
        raise unusable("LibreOffice cannot read it; save it as .docx", path)
    return Converted(made, DocxReader())


def _run(command: Sequence[str]) -> None:
    """Run a program with all that it starts; none of it outlives its time."""
    silent = subprocess.DEVNULL
    with subprocess.Popen(  # noqa: S603 - the program of the system, no shell
        command, stdin=silent, stdout=silent, stderr=silent, start_new_session=True
    ) as running:
        try:
            code = running.wait(SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    if code:
        raise subprocess.CalledProcessError(code, command)


def _program() -> str | None:
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


SIGN = "{\\rtf"


def rtf_to_document(path: Path, folder: Path) -> Converted:
    """Write the Word document or the text of an RTF file; its automatic numbers are in both.

    Raises:
        InputError: it is not RTF, too large or damaged.
    """
    raw = file_bytes(path).decode("latin-1")
    if not raw.lstrip().startswith(SIGN):
        raise unusable("not RTF, whatever its name says; give it its right suffix", path)
    if is_installed():
        with suppress(InputError):
            return office_to_docx(path, folder)
    from striprtf.striprtf import rtf_to_text as plain

    try:
        text = str(plain(raw, errors="replace"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, RecursionError, IndexError, TypeError) as error:
        raise unusable(
            "the file is damaged; open it in a word processor and save it again", path
        ) from error
    made = folder / f"{path.stem}.txt"
    made.write_text(text.replace("\r", "\n"), encoding="utf-8", errors="replace")
    return Converted(made, TextReader())
