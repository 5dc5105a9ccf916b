"""The form as a spreadsheet, with the columns of the HTML form's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rirag_workbench.evaluation.study.form import (
    CRITERIA,
    HIGHEST,
    LOWEST,
    RELEVANCE,
    FormItem,
    Study,
)
from search.errors import InputError, StorageError

FIELDS = ("study", "rater", "item", *CRITERIA, "passages", "comment")
SHOWN = ("question", "answer", "cited passages")
LONGEST_CELL = 32_000
"""Characters; spreadsheets take 32,767."""


def write_sheet(study: Study, path: Path) -> None:
    """Write the spreadsheet.

    Raises:
        StorageError: it cannot be written.
    """
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
        raise InputError(
            f"this file is not a form: {error}.", path, code="evaluation.invalid"
        ) from None
    head = [str(one) for one in rows[0]] if rows else []
    found = [(number, dict(zip(head, row, strict=False))) for number, row in enumerate(rows[1:], 2)]
    rater = next((one["rater"] for _, one in found if one.get("rater")), None)
    return [(number, {**one, "rater": one.get("rater") or rater}) for number, one in found]


def _blank(item: FormItem) -> str:
    return "; ".join(f"{one.number}=" for one in item.passages)


def _shown(item: FormItem) -> tuple[str, str, str]:
    passages = "\n\n".join(f"[{one.number}] {one.name}: {one.text}" for one in item.passages)
    return item.question, item.answer, passages
