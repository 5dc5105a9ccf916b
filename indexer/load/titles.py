"""Titles of documents: `titles.json`, a JSON object from DocumentID to title."""

from __future__ import annotations

from pathlib import Path

from indexer.load.sources import TITLES_FILE
from indexer.readers.files import broken_utf8
from indexer.readers.json.text import RepeatedKeys, json_value, type_name
from search.errors import InputError
from search.messages.arguments import text_or_path


class Titles:
    """Looks titles up for the files of one run."""

    def __init__(self, given: str | Path | None = None) -> None:
        """Read the titles file that the user gave, if any.

        Raises:
            InputError: it is missing or not an object of texts.
        """
        self._given = read_titles(Path(text_or_path(given, "a file of titles"))) if given else None
        self._folders: dict[Path, dict[str, str]] = {}

    def find(self, document_id: str, file: Path) -> str:
        """Return the title of a document read from a file, or an empty text."""
        if self._given is not None:
            return self._given.get(document_id, "")
        folder = file.parent
        if folder not in self._folders:
            self._folders[folder] = {}  # so that a broken file is reported once
            self._folders[folder] = _titles_near(folder)
        return self._folders[folder].get(document_id, "")


def read_titles(path: Path) -> dict[str, str]:
    """Return DocumentID → title of one file.

    Raises:
        InputError: it cannot be read, is not a JSON object whose values are texts, or names a
            document twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = f"cannot be read ({error.strerror}); check --titles"
        raise InputError(problem, path, code="titles.invalid") from error
    except UnicodeDecodeError:
        raise broken_utf8(path) from None
    titles = json_value(text, path, "titles.invalid")
    if fault := _shape_fault(titles):
        raise InputError(fault, path, code="titles.invalid")
    return dict(titles)


def _shape_fault(titles: object) -> str:
    expected = 'expected an object such as {"1": "Conduct Rules"}'
    if not isinstance(titles, dict):
        return f"{expected}, found {type_name(titles)}"
    if isinstance(titles, RepeatedKeys):
        return f"{titles.repeated[0]!r} has two titles; keep one"
    for document_id, title in titles.items():
        if not isinstance(title, str):
            return f"{expected}, found {type_name(title)} as the title of {document_id!r}"
    return ""


def _titles_near(folder: Path) -> dict[str, str]:
    for place in (folder, folder.resolve().parent):
        path = place / TITLES_FILE
        if path.is_file():
            return read_titles(path)
    return {}
