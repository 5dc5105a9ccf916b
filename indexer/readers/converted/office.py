"""Old Office files, by way of LibreOffice where it is installed."""

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
from indexer.readers.docx import DocxReader
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
            raise InputError(
                "LibreOffice takes too long to read it; save it as .docx", path,
                code="source.invalid",
            ) from error  # fmt: skip
        except (subprocess.CalledProcessError, OSError) as error:
            raise InputError(
                "LibreOffice cannot read it; save it as .docx", path, code="source.invalid"
            ) from error
    made = folder / f"{path.stem}.docx"
    if not made.is_file():
        raise InputError(
            "LibreOffice cannot read it; save it as .docx", path, code="source.invalid"
        )
    return Converted(made, DocxReader())


def _run(command: Sequence[str]) -> None:
    """Run a program with all that it starts; none of it outlives its time.

    Raises:
        subprocess.TimeoutExpired, subprocess.CalledProcessError, OSError: it did not end well.
    """
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
