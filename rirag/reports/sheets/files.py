"""A sheet in the form that is asked for, or as a file."""

from __future__ import annotations

from pathlib import Path

from rirag.reports.sheets.sheet import Sheet
from search.errors import InputError

MEDIA_TYPES = {
    "md": "text/markdown",
    "html": "text/html",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""Form → what it is called on the web."""


def in_form(sheet: Sheet, form: str) -> bytes:
    """Return a sheet in one of the forms of `MEDIA_TYPES`.

    Raises:
        MissingDependencyError: the form needs a library that is not installed.
    """
    if form == "docx":
        from rirag.reports.sheets.word_file import to_docx

        return to_docx(sheet)
    if form == "html":
        from rirag.reports.sheets.html_page import to_html

        return to_html(sheet).encode()
    from rirag.reports.sheets.markdown import to_markdown

    return to_markdown(sheet).encode()


def check_file(path: Path) -> None:
    """Refuse a file that no sheet can be written to.

    Raises:
        InputError: its name ends otherwise than a sheet's, or it exists.
        MissingDependencyError: its form needs a library that is not installed.
    """
    if _form(path) not in MEDIA_TYPES:
        raise InputError(
            "the name of an answer file must end in .md, .html or .docx", path, code="output.format"
        )
    if path.exists():
        raise InputError("the file exists; choose another name", path, code="output.exists")
    if _form(path) == "docx":
        from rirag.reports.sheets.word_file import new_document

        new_document()


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Write a sheet; the end of the file's name decides its form.

    Raises:
        InputError: as `check_file`, or the file cannot be written.
        MissingDependencyError: as `check_file`.
    """
    check_file(path)
    try:
        path.write_bytes(in_form(sheet, _form(path)))
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}", path, code="output.unwritable"
        ) from error


def _form(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
