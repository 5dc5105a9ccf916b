"""A stored answer as a Word file."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from rirag.server.export.sources import Source, facts_of, sources_of

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def docx_file(answer: StoredAnswer) -> bytes:
    """Return the answer, its sources with the quoted words marked, and the facts about it."""
    from docx import Document

    document = Document()
    document.core_properties.title = _clean(answer.question)[:250]
    document.core_properties.author = "rirag"
    document.add_heading(_clean(answer.question), level=1)
    for line in str(answer.body["Answer"]).splitlines():
        if line.strip():
            _add_line(document, line)
    document.add_heading("Sources", level=2)
    for source in sources_of(answer):
        _add_source(document, source)
    document.add_heading("About this answer", level=2)
    table = document.add_table(rows=0, cols=2)
    for name, value in facts_of(answer):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = name, _clean(value)
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def _add_line(document: Any, line: str) -> None:
    item = re.match(r"\s*[-*•]\s+", line)
    heading = re.match(r"#{1,6}\s+", line)
    if heading:
        document.add_heading(_clean(line[heading.end() :]), level=2)
        return
    paragraph = document.add_paragraph(style="List Bullet" if item else None)
    text = line[item.end() :] if item else line
    for place, piece in enumerate(_BOLD.split(text)):
        paragraph.add_run(_clean(piece)).bold = place % 2 == 1


def _add_source(document: Any, source: Source) -> None:
    head = document.add_paragraph()
    head.add_run(f"[{source.number}] {_clean(source.citation)}").bold = True
    if source.breadcrumb:
        head.add_run(f"\n{_clean(' › '.join(source.breadcrumb))}").italic = True
    body = document.add_paragraph(style="Quote")
    at = 0
    for start, end in sorted(source.marks):
        body.add_run(_clean(source.text[at:start])).italic = False
        run = body.add_run(_clean(source.text[max(start, at) : end]))
        run.italic, run.font.highlight_color = False, 7
        at = max(at, end)
    body.add_run(_clean(source.text[at:])).italic = False


def _clean(text: str) -> str:
    """Return text without what XML cannot hold."""
    return _NOT_XML.sub("", text)
