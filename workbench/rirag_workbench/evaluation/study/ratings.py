"""Ratings that come back, from CSV, JSON and spreadsheets, and the spreadsheet to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import read_text
from rirag_workbench.evaluation.ratings import csv_rows
from rirag_workbench.evaluation.study.form import (
    CRITERIA,
    HIGHEST,
    LOWEST,
    RELEVANCE,
    FormItem,
    KeyEntry,
    Study,
)
from rirag_workbench.refusals import unusable
from search.errors import StorageError

FIELDS = ("study", "rater", "item", *CRITERIA, "passages", "comment")
SHOWN = ("question", "answer", "cited passages")
LONGEST_CELL = 32_000
"""Characters; spreadsheets take 32,767."""


def write_sheet(study: Study, path: Path) -> None:
    """Write the spreadsheet."""
    import openpyxl
    from openpyxl.styles import Alignment, Font
    from openpyxl.worksheet.datavalidation import DataValidation

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Ratings"
    sheet.append([*FIELDS, *SHOWN])
    for one in study.items:
        sheet.append([study.study, None, one.item, *[None] * len(CRITERIA), _blank(one), None])
        for column, text in enumerate(_shown(one), len(FIELDS) + 1):
            cell = sheet.cell(sheet.max_row, column)
            # As text, whatever it begins with: no answer is a formula.
            cell.value, cell.data_type = text[:LONGEST_CELL], "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for letter, width in zip(
        "ABCDEFGHIJK", (14, 12, 8, 10, 10, 10, 30, 30, 40, 80, 80), strict=True
    ):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "D2"
    scores = DataValidation(
        "whole", operator="between", formula1=str(LOWEST), formula2=str(HIGHEST)
    )
    scores.add(f"D2:F{len(study.items) + 1}")
    sheet.add_data_validation(scores)
    help_sheet = book.create_sheet("How to")
    for name, text in CRITERIA.items():
        help_sheet.append([name, f"{text} {LOWEST} bad, {HIGHEST} good."])
    help_sheet.append(["passages", f"After each number write one of: {', '.join(RELEVANCE)}."])
    try:
        book.save(path)
    except OSError as error:
        raise StorageError(f"{path}: the form cannot be written: {error.strerror}.") from None


def read_sheet(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return (1-based row, ratings) of a spreadsheet; the first rater named is that of all rows."""
    import openpyxl

    try:
        with path.open("rb") as file:  # openpyxl leaves one that it opened itself open
            sheet = openpyxl.load_workbook(file, read_only=True, data_only=True)["Ratings"]
            rows = list(sheet.iter_rows(values_only=True))
    except Exception as error:  # openpyxl raises whatever zip and XML raise
        raise unusable("evaluation.invalid/no-form", path, error=error) from None
    head = [str(one) for one in rows[0]] if rows else []
    found = [(number, dict(zip(head, row, strict=False))) for number, row in enumerate(rows[1:], 2)]
    rater = next((one["rater"] for _, one in found if one.get("rater")), None)
    return [(number, {**one, "rater": one.get("rater") or rater}) for number, one in found]


def _blank(item: FormItem) -> str:
    return "; ".join(f"{one.number}=" for one in item.passages)


def _shown(item: FormItem) -> tuple[str, str, str]:
    passages = "\n\n".join(f"[{one.number}] {one.name}: {one.text}" for one in item.passages)
    return item.question, item.answer, passages


_PASSAGE = re.compile(r"\s*(\d+)\s*=\s*(.*?)\s*$")


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one answer."""

    rater: str
    item: str
    scores: Mapping[str, int]
    """Criterion → score; criteria left open are left out."""
    passages: Mapping[int, str]
    """Number of a passage → how it bears on the question."""


def read_key(path: Path) -> tuple[str, Mapping[str, KeyEntry]]:
    """Return the study that a key belongs to, and item → what was hidden."""
    try:
        found = json.loads(read_text(path))
        items = {name: KeyEntry(**entry) for name, entry in found["items"].items()}
        return str(found["study"]), items
    except (ValueError, KeyError, TypeError, AttributeError):
        raise unusable("evaluation.invalid/no-key", path) from None


def read_returned(
    files: Sequence[Path], study: str, items: Mapping[str, KeyEntry]
) -> tuple[list[Rating], list[str]]:
    """Return the ratings that raters sent back, and a sentence on each file left out."""
    by_rater: dict[str, dict[str, Rating]] = {}
    sources: dict[str, Path] = {}
    notes: list[str] = []
    for file in files:
        ratings = _of_file(file, study, items)
        rater = next(iter(ratings.values())).rater
        twin = next((name for name, known in by_rater.items() if _alike(known, ratings)), None)
        if twin is not None and len(ratings) > 1:
            notes.append(f"{file} holds the same ratings as {sources[twin]}; they count once")
            continue
        known = by_rater.setdefault(rater, {})
        for item, one in ratings.items():
            if known.setdefault(item, one) != one:
                raise unusable(
                    "evaluation.invalid/differently",
                    file,
                    rater=rater,
                    item=item,
                    other=sources[rater],
                )
        sources.setdefault(rater, file)
    return [one for ours in by_rater.values() for one in ours.values()], notes


def _alike(one: Mapping[str, Rating], other: Mapping[str, Rating]) -> bool:
    """Return whether two raters gave the same to the same, so that it is one file sent twice."""
    return one.keys() == other.keys() and all(
        one[item].scores == other[item].scores and one[item].passages == other[item].passages
        for item in one
    )


def _of_file(file: Path, study: str, items: Mapping[str, KeyEntry]) -> dict[str, Rating]:
    found: dict[str, Rating] = {}
    for line, row in _rows(file):
        rating = _rating(row, file, line)
        if str(row.get("study")) != study:
            raise unusable(
                "evaluation.invalid/other-study", file, line, given=row.get("study"), study=study
            )
        if rating.item not in items:
            raise unusable("evaluation.invalid/item", file, line, item=rating.item)
        if rating.scores or rating.passages:
            found[rating.item] = rating
    if not found:
        raise unusable("evaluation.invalid/no-ratings", file)
    if len({one.rater for one in found.values()}) > 1:
        raise unusable("evaluation.invalid/several-raters", file)
    return found


def _rows(file: Path) -> list[tuple[int, dict[str, Any]]]:
    if file.suffix.lower() == ".xlsx":
        return read_sheet(file)
    text = read_text(file)
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text)
        except ValueError as error:
            raise unusable("evaluation.invalid/json", file, error=error) from None
        if not all(isinstance(one, dict) for one in rows):
            raise unusable("evaluation.invalid/not-ratings", file)
        return list(enumerate(rows, 1))
    if not all(name in text.partition("\n")[0] for name in ("study", "rater", "item")):
        raise unusable("evaluation.invalid/no-columns", file)
    return csv_rows(text, file, "evaluation.invalid")


def _rating(row: Mapping[str, Any], file: Path, line: int) -> Rating:
    rater = str(row.get("rater") or "").strip()
    scores: dict[str, int] = {}
    for name in CRITERIA:
        given = row.get(name)
        if given is None or str(given).strip() == "":
            continue
        try:
            value = float(given)
        except (TypeError, ValueError):
            value = -1
        if not (LOWEST <= value <= HIGHEST and value.is_integer()):
            score = {"name": name, "given": str(given), "low": LOWEST, "high": HIGHEST}
            raise unusable("evaluation.invalid/score", file, line, **score)
        scores[name] = int(value)
    passages = _passages(str(row.get("passages") or ""), file, line)
    if (scores or passages) and not rater:
        raise unusable("evaluation.invalid/rater", file, line)
    return Rating(rater, str(row.get("item")), scores, passages)


def _passages(text: str, file: Path, line: int) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in filter(str.strip, text.split(";")):
        parsed = _PASSAGE.match(part)
        if parsed is None or (parsed[2] and parsed[2] not in RELEVANCE):
            known = ", ".join(RELEVANCE)
            raise unusable("evaluation.invalid/passage", file, line, part=part.strip(), known=known)
        if parsed[2]:
            found[int(parsed[1])] = parsed[2]
    return found
