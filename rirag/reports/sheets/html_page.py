"""A sheet as one HTML page that needs nothing else."""

from __future__ import annotations

import re
from html import escape

from rirag.reports.marking import merged
from rirag.reports.page import facts, page, section, table
from rirag.reports.sheets.sheet import DUTY_COLUMNS, Sheet
from rirag.reports.sheets.sources import Source


def to_html(sheet: Sheet) -> str:
    """Return the answer, its duties and sources, and the facts about it."""
    parts = [f'<p class="text">{_marked(part)}</p>' for part in sheet.text.split("\n\n")]
    if sheet.duties:
        parts.append(table("duties", DUTY_COLUMNS, sheet.duties))
    sources = "".join(map(_source, sheet.sources))
    parts.append(f"<section><h2>Sources</h2>{sources}</section>")
    parts.append(section("About this answer", "", facts(sheet.facts)))
    return page(sheet.question, sheet.question, parts)


def _source(source: Source) -> str:
    return (
        f'<h3 id="source-{source.number}">[{source.number}] {escape(source.citation)}</h3>'
        f"<p><small>{escape(source.where)}</small></p>"
        f'<blockquote class="text">{_text(source)}</blockquote>'
    )


def _text(source: Source) -> str:
    """Return the text of a source with the quoted words marked."""
    made, at = [], 0
    for start, end in merged(source.marks):
        made += [escape(source.text[at:start]), f"<mark>{escape(source.text[start:end])}</mark>"]
        at = end
    return "".join([*made, escape(source.text[at:])])


def _marked(text: str) -> str:
    """Return a part of the answer: escaped, with bold type and links to the sources."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text), flags=re.DOTALL)
    return re.sub(r"\[(\d+)\]", r'<a href="#source-\1">[\1]</a>', text)
