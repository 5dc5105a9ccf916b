"""A sheet as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.text.sanitize import as_shown
from rirag.reports.sheets.sheet import DUTY_COLUMNS, Sheet
from rirag.reports.sheets.sources import Source

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_OPENS = re.compile(r"^(\s*)(\d+)([.)])|^(\s*)([-+=])", re.M)
TAB = "\t"
"""Between the cells of a table."""


def to_markdown(sheet: Sheet) -> str:
    """Return the answer, its duties and sources, and the facts about it."""
    lines = [f"# {literal(sheet.question)}", "", _answer(sheet.text), ""]
    if sheet.duties:
        lines += ["## Duties", "", _row(DUTY_COLUMNS), _row(["---"] * len(DUTY_COLUMNS))]
        lines += [*(_row(map(literal, row)) for row in sheet.duties), ""]
    lines += ["## Sources", ""]
    for source in sheet.sources:
        lines += [*_source(source), ""]
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


def _source(source: Source) -> list[str]:
    lines = [f"### \\[{source.number}\\] {literal(source.citation)}", ""]
    lines += [literal(source.where), ""] if source.where else []
    return lines + [
        f"> {' | '.join(map(literal, line.split(TAB)))}".rstrip()
        for line in as_shown(source.text).splitlines()
    ]
