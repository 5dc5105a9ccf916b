"""An answer as an audit sheet: question, date, index, answer, and every source in full."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search.errors import InputError

if TYPE_CHECKING:
    from generation import Answer
    from search import IndexDescription, Passage

FEWEST_DUTIES = 3
"""Quoted duties from which on a table shows who must do what by when."""

DUTY_COLUMNS = ("Who", "Duty", "What", "When", "Rule")
STATES = {
    "answered": "Answered",
    "unsure": "Not sure: the nearest provisions are quoted",
    "nothing": "Nothing found",
}

_PAGED = re.compile(r"^(?P<file>.+\.pdf):(?P<page>\d+)$", re.IGNORECASE)
_LINED = re.compile(r"^(?P<file>.+):\d+(?:-\d+)?$")


@dataclass(frozen=True, slots=True)
class AuditSheet:
    """Everything that a sheet shows."""

    answer: Answer
    index: IndexDescription
    made: datetime

    def facts(self) -> list[tuple[str, str]]:
        """Return what stands above the answer: name and value."""
        index = self.index
        state = f"{index.url}, generation {index.generation}: {index.passages:,} passages of "
        return [
            ("Question", self.answer.question),
            ("Date", self.made.astimezone().strftime("%Y-%m-%d %H:%M %Z")),
            ("Index", f"{state}{index.documents:,} documents"),
            ("State", STATES[self.answer.state]),
            ("Mode", self.answer.mode),
        ]

    def duties(self) -> list[tuple[str, ...]]:
        """Return the rows of the table of duties; empty where too few are quoted."""
        statements = self.answer.extract.statements if self.answer.extract else ()
        rows: list[tuple[str, ...]] = [
            (one.actor, one.duty, one.act, one.time, f"{cited(one.passage)} [{one.number}]")
            for one in statements
            if one.role != "answer" and one.actor and one.duty
        ]
        return rows if len(rows) >= FEWEST_DUTIES else []

    def sources(self) -> list[tuple[int, Passage]]:
        """Return number and passage of everything cited."""
        return list(self.answer.sources().items())


def cited(passage: Passage) -> str:
    """Return document and number."""
    from generation.text.labels import citation_label

    return citation_label(passage)


def place_of(passage: Passage) -> str:
    """Return file and page, or the file alone where it has no pages."""
    paged, lined = _PAGED.match(passage.source), _LINED.match(passage.source)
    if paged:
        return f"{paged['file']}, page {paged['page']}"
    return lined["file"] if lined else passage.source


def check_file(path: Path) -> None:
    """Refuse a file that no sheet can be written to.

    Raises:
        InputError: its name ends otherwise than a sheet's, or it exists.
    """
    if path.suffix.lower() not in _FORMS:
        raise InputError(
            "the name of an answer file must end in .md, .html or .docx", path, code="output.format"
        )
    if path.exists():
        raise InputError("the file exists; choose another name", path, code="output.exists")
    if path.suffix.lower() == ".docx":
        _new_document()


def write_sheet(sheet: AuditSheet, path: Path) -> None:
    """Write a sheet; the end of the file's name decides its form.

    Raises:
        InputError: as `check_file`, or the file cannot be written.
    """
    check_file(path)
    try:
        _FORMS[path.suffix.lower()](sheet, path)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}", path, code="output.unwritable"
        ) from error


def to_markdown(sheet: AuditSheet) -> str:
    """Return the sheet as Markdown."""
    lines = ["# Answer", ""]
    lines += [f"- **{name}:** {value}" for name, value in sheet.facts()]
    lines += ["", sheet.answer.text, ""]
    if duties := sheet.duties():
        lines += ["## Duties", "", _row(DUTY_COLUMNS), _row(["---"] * len(DUTY_COLUMNS))]
        lines += [*map(_row, duties), ""]
    lines += ["## Sources", ""]
    for number, passage in sheet.sources():
        lines += [f"### [{number}] {cited(passage)}", ""]
        lines += [f"*{' › '.join(passage.breadcrumb)}*", ""] if passage.breadcrumb else []
        lines += [f"{place_of(passage)}", "", *_quoted(passage.text), ""]
    return "\n".join(lines).rstrip() + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _quoted(text: str) -> list[str]:
    from generation.text.sanitize import as_shown

    return [f"> {line}".rstrip() for line in as_shown(text).splitlines()]


def to_html(sheet: AuditSheet) -> str:
    """Return the sheet as a page that needs nothing else."""
    facts = "".join(
        f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>" for name, value in sheet.facts()
    )
    body = [f"<h1>Answer</h1><dl>{facts}</dl>"]
    body += [f"<p>{_marked(part)}</p>" for part in sheet.answer.text.split("\n\n")]
    if duties := sheet.duties():
        head = "".join(f"<th>{name}</th>" for name in DUTY_COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in row) + "</tr>" for row in duties
        )
        body.append(f"<h2>Duties</h2><table><tr>{head}</tr>{rows}</table>")
    body.append("<h2>Sources</h2>")
    for number, passage in sheet.sources():
        body.append(f'<h3 id="source-{number}">[{number}] {_safe(cited(passage))}</h3>')
        place = " · ".join(filter(None, [" › ".join(passage.breadcrumb), place_of(passage)]))
        body.append(
            f"<p><small>{_safe(place)}</small></p><blockquote>{_safe(passage.text)}</blockquote>"
        )
    title = _safe(sheet.answer.question)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "p,blockquote{white-space:pre-wrap;overflow-wrap:anywhere}"
    "blockquote{border-left:3px solid #999;margin-left:0;padding-left:1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:.3rem;text-align:left}"
    "dt{font-weight:bold}"
)


def _safe(text: str) -> str:
    return html.escape(text)


def _marked(text: str) -> str:
    """Return a part of the answer: escaped, with bold type and links to the sources."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", _safe(text), flags=re.DOTALL)
    return re.sub(r"\[(\d+)\]", r'<a href="#source-\1">[\1]</a>', text)


def _write_docx(sheet: AuditSheet, path: Path) -> None:
    document = _new_document()
    document.add_heading("Answer", 1)
    for name, value in sheet.facts():
        line = document.add_paragraph()
        line.add_run(f"{name}: ").bold = True
        line.add_run(_xml(value))
    for part in sheet.answer.text.split("\n\n"):
        line = document.add_paragraph()
        for position, run in enumerate(part.split("**")):
            line.add_run(_xml(run)).bold = position % 2 == 1
    if duties := sheet.duties():
        document.add_heading("Duties", 2)
        table = document.add_table(rows=1, cols=len(DUTY_COLUMNS), style="Table Grid")
        for row in (DUTY_COLUMNS, *duties):
            cells = table.rows[0].cells if row is DUTY_COLUMNS else table.add_row().cells
            for cell, text in zip(cells, row, strict=True):
                cell.text = _xml(text)
    document.add_heading("Sources", 2)
    for number, passage in sheet.sources():
        document.add_heading(_xml(f"[{number}] {cited(passage)}"), 3)
        place = " · ".join(filter(None, [" › ".join(passage.breadcrumb), place_of(passage)]))
        document.add_paragraph(_xml(place))
        document.add_paragraph(_xml(passage.text), style="Quote")
    document.save(str(path))


def _new_document() -> Any:
    try:
        from docx import Document
    except ImportError as error:
        raise InputError(
            "a DOCX file needs python-docx; install it with: pip install 'rirag[docx]'",
            code="dependency.missing",
        ) from error
    return Document()


def _xml(text: str) -> str:
    """Return a text without the control characters that XML cannot hold."""
    from generation.text.sanitize import printable

    return printable(text)


_FORMS: Mapping[str, Callable[[AuditSheet, Path], object]] = {
    ".md": lambda sheet, path: path.write_text(to_markdown(sheet), encoding="utf-8"),
    ".html": lambda sheet, path: path.write_text(to_html(sheet), encoding="utf-8"),
    ".docx": _write_docx,
}
