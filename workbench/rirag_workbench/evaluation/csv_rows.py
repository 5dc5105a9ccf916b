"""Rows of a CSV file of ratings, as spreadsheet programs of any country save it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from search.errors import InputError

_DELIMITERS = ",;\t"


def csv_rows(text: str, file: Path, code: str) -> list[tuple[int, dict[str, str]]]:
    """Return (1-based line, column → value) of each row below the names of the columns.

    Args:
        text: of the file; commas, semicolons or tabs part its columns.
        file: named where it cannot be read.
        code: of the error.

    Raises:
        InputError: it is not CSV, or a row has more or fewer columns than the first line.
    """
    names = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=names.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise InputError(
            f"this is not valid CSV: {error}.", file, reader.line_num, code=code
        ) from None
    for line, row in rows:
        if None in row or None in row.values():
            raise InputError(
                "this line and the first one differ in their number of columns.",
                file,
                line,
                code=code,
            )
    return rows
