"""Rich Text Format: by way of LibreOffice, which keeps its looks; where that is not installed or
fails, as plain text.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from indexer.readers.converted.office import is_installed, office_to_docx
from indexer.readers.converted.reader import Converted
from indexer.readers.files import file_bytes
from indexer.readers.text.reader import TextReader
from search.errors import InputError

SIGN = "{\\rtf"


def rtf_to_document(path: Path, folder: Path) -> Converted:
    """Write the Word document or the text of an RTF file; its automatic numbers are in both.

    Raises:
        InputError: it is not RTF, too large or damaged.
    """
    raw = file_bytes(path).decode("latin-1")
    if not raw.lstrip().startswith(SIGN):
        raise InputError(
            "not RTF, whatever its name says; give it its right suffix", path, code="source.invalid"
        )
    if is_installed():
        with suppress(InputError):
            return office_to_docx(path, folder)
    from striprtf.striprtf import rtf_to_text as plain

    try:
        text = str(plain(raw, errors="replace"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, RecursionError, IndexError, TypeError) as error:
        raise InputError(
            "the file is damaged; open it in a word processor and save it again",
            path,
            code="source.invalid",
        ) from error
    made = folder / f"{path.stem}.txt"
    made.write_text(text.replace("\r", "\n"), encoding="utf-8", errors="replace")
    return Converted(made, TextReader())
