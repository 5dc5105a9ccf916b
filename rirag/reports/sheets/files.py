"""A sheet as Markdown, as one HTML page or as Word, in memory or as a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from generation.text.sanitize import as_shown
from rirag.refusals import unusable
from rirag.reports.marking import marked_pieces
from rirag.reports.page import facts, page, section, table
from rirag.reports.sheets.sheet import DUTY_COLUMNS, Sheet
from rirag.reports.sheets.sources import Source
from search.errors import InputError

MEDIA_TYPES = {
    "md": "text/markdown",
    "html": "text/html",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""Form → what it is called on the web."""

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_OPENS = re.compile(r"^(\s*)(\d+)([.)])|^(\s*)([-+=])", re.M)
TAB = "\t"
"""Between the cells of a table."""


def in_form(sheet: Sheet, form: str) -> bytes:
    """Return a sheet in one of the forms of `MEDIA_TYPES`."""
    if form == "docx":
        from rirag.reports.sheets.word_file import to_docx

        return to_docx(sheet)
    if form == "html":
        return to_html(sheet).encode()
    return to_markdown(sheet).encode()


def check_file(path: Path) -> None:
    """Refuse a file that no sheet can be written to."""
    if _form(path) not in MEDIA_TYPES:
        raise unusable("output.format", path)
    if path.exists():
        raise InputError("the file exists; choose another name", path, code="output.exists")
    if _form(path) == "docx":
        from rirag.reports.sheets.word_file import new_document

        new_document()


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Write a sheet; the end of the file's name decides its form."""
    check_file(path)
    try:
        path.write_bytes(in_form(sheet, _form(path)))
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}", path, code="output.unwritable"
        ) from error


def _form(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def to_markdown(sheet: Sheet) -> str:
    """Return the answer, its duties and sources, and the facts about it."""
    lines = [f"# {literal(sheet.question)}", "", _answer(sheet.text), ""]
    if sheet.duties:
        lines += ["## Duties", "", _row(DUTY_COLUMNS), _row(["---"] * len(DUTY_COLUMNS))]
        lines += [*(_row(map(literal, row)) for row in sheet.duties), ""]
    lines += ["## Sources", ""]
    for source in sheet.sources:
        lines += [*_markdown_source(source), ""]
    lines += ["## About this answer", ""]
    lines += [f"- {name}: {literal(value)}" for name, value in sheet.facts]
    return "\n".join(lines) + "\n"


def literal(text: str) -> str:
    """Return text that Markdown shows as it is."""
    escaped = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _OPENS.sub(lambda m: m[0][:-1] + "\\" + m[0][-1], escaped)


def _answer(text: str) -> str:
    """Return the text of the answer, which is light Markdown; what else acts is escaped."""
    return re.sub(r"([<>&`!])", r"\\\1", text)


def _row(cells: Sequence[str] | Iterator[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_source(source: Source) -> list[str]:
    lines = [f"### \\[{source.number}\\] {literal(source.citation)}", ""]
    lines += [literal(source.where), ""] if source.where else []
    return lines + [
        f"> {' | '.join(map(literal, line.split(TAB)))}".rstrip()
        for line in as_shown(source.text).splitlines()
    ]


def to_html(sheet: Sheet) -> str:
    """Return the answer, its duties and sources, and the facts about it."""
    parts = [f'<p class="text">{_marked(part)}</p>' for part in sheet.text.split("\n\n")]
    if sheet.duties:
        parts.append(table("duties", DUTY_COLUMNS, sheet.duties))
    sources = "".join(map(_html_source, sheet.sources))
    parts.append(f"<section><h2>Sources</h2>{sources}</section>")
    parts.append(section("About this answer", "", facts(sheet.facts)))
    return page(sheet.question, sheet.question, parts)


def _html_source(source: Source) -> str:
    pieces = marked_pieces(source.text, source.marks)
    text = "".join(
        f"<mark>{escape(one)}</mark>" if marked else escape(one) for one, marked in pieces
    )
    return (
        f'<h3 id="source-{source.number}">[{source.number}] {escape(source.citation)}</h3>'
        f"<p><small>{escape(source.where)}</small></p>"
        f'<blockquote class="text">{text}</blockquote>'
    )


def _marked(text: str) -> str:
    """Return a part of the answer: escaped, with bold type and links to the sources."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text), flags=re.DOTALL)
    return re.sub(r"\[(\d+)\]", r'<a href="#source-\1">[\1]</a>', text)
