"""A sheet as a Word file."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from generation.text.sanitize import printable
from rirag.reports.marking import marked_pieces
from rirag.reports.sheets.sheet import DUTY_COLUMNS, Sheet
from rirag.reports.sheets.sources import Source
from search.errors import MissingDependencyError

YELLOW = 7
"""Of `WD_COLOR_INDEX`."""

LONGEST_TITLE = 250

_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def to_docx(sheet: Sheet) -> bytes:
    """Return the answer, its duties, its sources with the quoted words marked, and the facts."""
    document = new_document()
    document.core_properties.title = printable(sheet.question)[:LONGEST_TITLE]
    document.core_properties.author = "rirag"
    document.add_heading(printable(sheet.question), level=1)
    for line in filter(str.strip, sheet.text.splitlines()):
        _add_line(document, line)
    if sheet.duties:
        document.add_heading("Duties", level=2)
        _add_table(document, (DUTY_COLUMNS, *sheet.duties))
    document.add_heading("Sources", level=2)
    for source in sheet.sources:
        _add_source(document, source)
    document.add_heading("About this answer", level=2)
    _add_table(document, sheet.facts)
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def new_document() -> Any:
    """Return an empty Word document."""
    try:
        from docx import Document
    except ImportError:
        raise MissingDependencyError("Writing a DOCX file", "docx") from None
    return Document()


def _add_line(document: Any, line: str) -> None:
    item = re.match(r"\s*[-*•]\s+", line)
    heading = re.match(r"#{1,6}\s+", line)
    if heading:
        document.add_heading(printable(line[heading.end() :]), level=2)
        return
    paragraph = document.add_paragraph(style="List Bullet" if item else None)
    text = line[item.end() :] if item else line
    for place, piece in enumerate(_BOLD.split(text)):
        paragraph.add_run(printable(piece)).bold = place % 2 == 1


def _add_table(document: Any, rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = printable(text)


def _add_source(document: Any, source: Source) -> None:
    head = document.add_paragraph()
    head.add_run(f"[{source.number}] {printable(source.citation)}").bold = True
    if source.where:
        head.add_run(f"\n{printable(source.where)}").italic = True
    body = document.add_paragraph(style="Quote")
    for text, is_marked in marked_pieces(source.text, source.marks):
        run = body.add_run(printable(text))
        run.italic = False
        if is_marked:
            run.font.highlight_color = YELLOW
