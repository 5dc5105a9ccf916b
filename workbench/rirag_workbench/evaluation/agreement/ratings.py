"""Ratings of the same items by several raters, read from CSV or JSONL."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import read_text
from rirag.inputs.json_records import Problem, json_records, refuse_if_any
from rirag_workbench.evaluation.csv_rows import csv_rows
from search.errors import InputError

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
        column: of the rating, in several files.

    Raises:
        InputError: a file cannot be used, there is one rater, a rater rated nothing, no item was
            rated by two, or some ratings are numbers and others are not.
    """
    tables = {file: _records(file) for file in files}
    scale = _Scale()
    if len(tables) == 1:
        [(file, records)] = tables.items()
        given = _long(records, file, column, scale) or _wide(records, file, raters, scale)
    else:
        given = _one_a_file(tables, column, scale)
    return _table(given, files[0])


_Given = dict[tuple[str, str], dict[str, Value]]
"""(item, question) → rater → rating."""


def _records(file: Path) -> list[tuple[int, dict[str, Any]]]:
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


def _long(
    records: Sequence[tuple[int, dict[str, Any]]], file: Path, column: str | None, scale: _Scale
) -> _Given:
    """Read the columns `rater` and `rating`; nothing where there are none."""
    fields = {name for _, one in records for name in one}
    rater = next((name for name in RATER_FIELDS if name in fields), None)
    value = column or next((name for name in VALUE_FIELDS if name in fields), None)
    if rater is None or value is None:
        return {}
    given: _Given = {}
    for line, one in records:
        ratings = given.setdefault(_item(one, file, line), {})
        name = str(one.get(rater))
        if name in ratings:
            raise _invalid(f"{name!r} rates this item twice; keep one rating.", file, line)
        if (rating := scale.rating(one.get(value), file, line)) is not None:
            ratings[name] = rating
    return given


def _wide(
    records: Sequence[tuple[int, dict[str, Any]]], file: Path, raters: Sequence[str], scale: _Scale
) -> _Given:
    apart = {*ITEM_FIELDS, *CLUSTER_FIELDS}
    fields = list(dict.fromkeys(name for _, one in records for name in one))
    unknown = [name for name in raters if name not in fields]
    if unknown:
        raise _invalid(
            f"there is no column {unknown[0]!r}; the columns are {', '.join(fields)}.", file
        )
    columns = list(raters) or [name for name in fields if name not in apart]
    given: _Given = {}
    for line, one in records:
        found = {name: scale.rating(one.get(name), file, line) for name in columns}
        item = _item(one, file, line)
        if item in given:
            raise _invalid(f"item {item[0]!r} occurs twice; keep one.", file, line)
        given[item] = {name: value for name, value in found.items() if value is not None}
    for name in columns:
        if not any(name in ratings for ratings in given.values()):
            raise _invalid(f"rater {name!r} has no ratings; leave the column out.", file)
    return given


def _one_a_file(
    tables: Mapping[Path, Sequence[tuple[int, dict[str, Any]]]], column: str | None, scale: _Scale
) -> _Given:
    given: _Given = {}
    for file, records in tables.items():
        fields = {name for _, one in records for name in one}
        value = column or next((name for name in VALUE_FIELDS if name in fields), None)
        if value is None or value not in fields:
            raise _invalid(
                f"there is no column {value or ' or '.join(VALUE_FIELDS)}; name one of "
                f"{', '.join(sorted(fields))} with --column.",
                file,
            )
        rated = 0
        for line, one in records:
            ratings = given.setdefault(_item(one, file, line), {})
            if _name(file, tables) in ratings:
                raise _invalid("this item is rated twice; keep one rating.", file, line)
            if (rating := scale.rating(one.get(value), file, line)) is not None:
                ratings[_name(file, tables)] = rating
                rated += 1
        if not rated:
            raise _invalid(f"this rater has no ratings: {value!r} is empty on every line.", file)
    return given


def _name(file: Path, tables: Iterable[Path]) -> str:
    return file.stem if [one.stem for one in tables].count(file.stem) == 1 else str(file)


def _item(record: Mapping[str, Any], file: Path, line: int) -> tuple[str, str]:
    item = next((str(record[name]) for name in ITEM_FIELDS if record.get(name)), None)
    if item is None:
        raise _invalid(
            f"the item has no name; it needs one of {', '.join(ITEM_FIELDS)}.", file, line
        )
    cluster = next((str(record[name]) for name in CLUSTER_FIELDS if record.get(name)), item)
    return item, cluster


class _Scale:
    """The scale of all ratings: numbers or words, as the first rating is."""

    def __init__(self) -> None:
        self._first: tuple[Value, str] | None = None
        """The first rating, and where it is."""

    def rating(self, value: Any, file: Path, line: int) -> Value | None:
        """Return a rating; None where the rater left it out.

        Raises:
            InputError: it is not a rating, or a word where another is a number.
        """
        rating = _rating(value, file, line)
        if rating is None:
            return None
        first, where = self._first = self._first or (rating, f"{file}:{line}")
        if type(rating) is not type(first):
            raise _invalid(
                f"the rating {_quoted(rating)} differs in kind from {_quoted(first)} ({where}); "
                "use one scale, numbers or words.",
                file,
                line,
            )
        return rating


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


def _invalid(message: str, file: Path, line: int | None = None) -> InputError:
    return InputError(message, file, line, code="ratings.invalid")


def _not_a_rating(value: Any, file: Path, line: int) -> InputError:
    shown = json.dumps(value)[:40]
    return _invalid(f"{shown} is not a rating.", file, line)


def _table(given: _Given, source: Path) -> Ratings:
    raters = tuple(dict.fromkeys(name for ratings in given.values() for name in ratings))
    if not raters:
        raise _invalid("the file contains no ratings.", source)
    if len(raters) < 2:
        raise _invalid("there is only one rater; agreement needs two.", source)
    values = tuple(tuple(ratings.get(name) for name in raters) for ratings in given.values())
    if not any(sum(one is not None for one in row) > 1 for row in values):
        raise _invalid(
            "no item was rated by two raters; check that the files name the items alike.", source
        )
    items, clusters = zip(*given, strict=True)
    return Ratings(raters, items, clusters, values)
