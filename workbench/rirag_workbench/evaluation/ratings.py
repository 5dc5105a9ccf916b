"""Ratings of the same items by several raters, read from CSV or JSONL."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import read_text
from rirag.inputs.json_records import Problem, json_records, refuse_if_any
from rirag_workbench.refusals import unusable
from search.errors import InputError

_DELIMITERS = ",;\t"


def csv_rows(text: str, file: Path, code: str) -> list[tuple[int, dict[str, str]]]:
    """Return (1-based line, column → value) of each row below the names of the columns.

    Args:
        text: of the file; commas, semicolons or tabs part its columns.
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


ITEM_FIELDS = ("item", "item_id", "id", "question_id", "QuestionID")
"""Columns that may name the item, in the order in which they are looked for."""

CLUSTER_FIELDS = ("question_id", "QuestionID", "question")
"""Columns that may name the question that an item belongs to."""

RATER_FIELDS = ("rater", "annotator_id", "rater_id")
JUDGED = "per_question"
"""Field of a judge's result with question → criterion → grade."""

VALUE_FIELDS = ("rating", "score", "label", "value")

Value = str | float
"""A number, or a category."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """A table of ratings."""

    raters: tuple[str, ...]
    items: tuple[str, ...]
    clusters: tuple[str, ...]
    """The question of each item; intervals are drawn question by question."""
    values: tuple[tuple[Value | None, ...], ...]
    """For each item what each rater gave; None: nothing."""

    @property
    def is_numeric(self) -> bool:
        """Whether every rating is a number, so that some are nearer to each other than others."""
        return all(isinstance(one, float) for row in self.values for one in row if one is not None)


def read_ratings(
    files: Sequence[Path], raters: Sequence[str] = (), column: str | None = None
) -> Ratings:
    """Read ratings.

    Args:
        files: one with a column for each rater, or with the columns `rater` and `rating`; or
            several, one for each rater.
        raters: columns to be read from one file; empty: all but those of `ITEM_FIELDS`,
            `CLUSTER_FIELDS`.
    """
    tables = {file: _records(file) for file in files}
    read = _Read()
    for file, records in tables.items():
        fields = list(dict.fromkeys(name for _, one in records for name in one))
        rater = next((name for name in RATER_FIELDS if name in fields), None)
        value = column or next((name for name in VALUE_FIELDS if name in fields), None)
        if len(tables) > 1:
            name = file.stem if [one.stem for one in files].count(file.stem) == 1 else str(file)
            read.column(records, file, {name: _known(value, fields, file, "--column")})
        elif rater is not None and value is not None:
            for line, one in records:
                read.rating(one, str(one.get(rater)), one.get(value), file, line)
        else:
            named = raters or [one for one in fields if one not in {*ITEM_FIELDS, *CLUSTER_FIELDS}]
            read.column(records, file, {one: _known(one, fields, file, "--rater") for one in named})
    return read.table(files[0])


class _Read:
    """The ratings read so far; all are numbers or all are words, as the first one is."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], dict[str, Value]] = {}
        """(item, question) → rater → rating."""
        self._first: tuple[Value, str] | None = None
        """The first rating, and where it is."""

    def column(self, records: Sequence[_Numbered], file: Path, columns: Mapping[str, str]) -> None:
        """Take in the ratings of some raters, each with a column of a file."""
        for line, one in records:
            for rater, name in columns.items():
                self.rating(one, rater, one.get(name), file, line)
        for rater in columns if records else ():
            if not any(rater in ratings for ratings in self._given.values()):
                raise unusable("ratings.invalid/rater", file, rater=rater)

    def rating(
        self, record: Mapping[str, Any], rater: str, value: Any, file: Path, line: int
    ) -> None:
        """Take in one rating, or nothing where the rater left it out."""
        ratings = self._given.setdefault(_item(record, file, line), {})
        if rater in ratings:
            raise unusable("ratings.invalid/twice", file, line, rater=rater)
        rating = _rating(value, file, line)
        if rating is None:
            return
        first, where = self._first = self._first or (rating, f"{file}:{line}")
        if type(rating) is not type(first):
            raise unusable(
                "ratings.invalid/kind",
                file,
                line,
                rating=_quoted(rating),
                first=_quoted(first),
                where=where,
            )
        ratings[rater] = rating

    def table(self, source: Path) -> Ratings:
        """Return the table."""
        given = self._given
        raters = tuple(dict.fromkeys(name for ratings in given.values() for name in ratings))
        if not raters:
            raise unusable("ratings.invalid/none", source)
        if len(raters) < 2:
            raise unusable("ratings.invalid/one-rater", source)
        values = tuple(tuple(ratings.get(name) for name in raters) for ratings in given.values())
        if not any(sum(one is not None for one in row) > 1 for row in values):
            raise unusable("ratings.invalid/nothing-shared", source)
        items, clusters = zip(*given, strict=True)
        return Ratings(raters, items, clusters, values)


def _known(column: str | None, fields: Sequence[str], file: Path, option: str) -> str:
    """Return the name of a column that a file has."""
    if column is None or column not in fields:
        raise unusable(
            "ratings.invalid/column",
            file,
            column=column or " or ".join(VALUE_FIELDS),
            fields=", ".join(sorted(fields)),
            option=option,
        )
    return column


_Numbered = tuple[int, dict[str, Any]]
"""1-based line, and the record on it."""


def _records(file: Path) -> list[_Numbered]:
    text = read_text(file)
    problems: list[Problem] = []
    if text.lstrip().startswith(("{", "[")):
        found = [row for line, one in json_records(text, problems) for row in _rows(line, one)]
        problems += [(line, "a rating must be a JSON object.") for line, one in found
                     if not isinstance(one, dict)]  # fmt: skip
        refuse_if_any(problems, file)
        return found
    return csv_rows(text, file, "ratings.invalid")


def _rows(line: int, record: Any) -> list[tuple[int, Any]]:
    """Return a record; of a result of `rirag evaluate judge` one for each question."""
    grades = record.get(JUDGED) if isinstance(record, dict) else None
    if not isinstance(grades, dict):
        return [(line, record)]
    return [
        (
            line,
            {"question_id": key, **{name: one for name, one in given.items() if name != "reason"}},
        )
        for key, given in grades.items()
        if isinstance(given, dict)
    ]


def _item(record: Mapping[str, Any], file: Path, line: int) -> tuple[str, str]:
    item = next((str(record[name]) for name in ITEM_FIELDS if record.get(name)), None)
    if item is None:
        raise unusable("ratings.invalid/item", file, line, fields=", ".join(ITEM_FIELDS))
    cluster = next((str(record[name]) for name in CLUSTER_FIELDS if record.get(name)), item)
    return item, cluster


def _quoted(rating: Value) -> str:
    return repr(rating) if isinstance(rating, str) else f"{rating:g}"


def _rating(value: Any, file: Path, line: int) -> Value | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float | str):
        raise _not_a_rating(value, file, line)
    try:
        number = float(value)
    except ValueError:
        return str(value).strip()
    if math.isinf(number):
        raise _not_a_rating(value, file, line)
    return None if math.isnan(number) else number


def _not_a_rating(value: Any, file: Path, line: int) -> InputError:
    shown = json.dumps(value)[:40]
    return unusable("ratings.invalid/rating", file, line, shown=shown)
