"""Who must do what, by when, how much, and with which exception: passages as rows of a table."""

from __future__ import annotations

import io
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from generation.statements.conditions import takes_back
from generation.statements.forces import DUTIES, duty_of, kind_of
from generation.statements.markers import find_marker
from generation.statements.passages import Statement, announces, statements_of
from generation.statements.units import with_parents
from generation.statements.values import PATTERNS
from generation.text.sanitize import one_line
from rirag.server.addresses import ORIGIN, rule_address
from rirag.server.strings import WORDS
from search.language import vocabulary
from search.records import cited_as

if TYPE_CHECKING:
    from search import Passage

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDTHS = (28, 12, 60, 22, 18, 40, 32, 70)
"""Of the columns, in characters."""

_EXCEPTION = re.compile(rf"\b{vocabulary.any_of('exceptions.within')}\b[^.;]*", re.IGNORECASE)
_AMOUNT = re.compile(
    rf"(?:{PATTERNS['money'].pattern})(?:[\d.,]*\d)?(?:\s{vocabulary.forms('values.sizes')})?"
    rf"|[\d.,]*(?:{PATTERNS['percent'].pattern})",
    re.IGNORECASE,
)


class DutyRow(NamedTuple):
    """One duty; what cannot be told from its words is empty."""

    who: str
    duty: str
    what: str
    when: str
    amount: str
    exception: str
    rule: str
    words: str
    """Those that the other cells are taken from."""
    address: str


def of_passages(passages: Sequence[Passage], chosen: Container[str]) -> list[DutyRow]:
    """Return the duties of some passages of a document, in its order.

    An item is read with what introduces it.
    """
    by_id, parents = {one.id: one for one in passages}, {one.parent for one in passages}
    found: list[DutyRow] = []
    for one in (one for one in passages if one.id in chosen):
        text, above = one.text.strip(), by_id.get(one.parent or "")
        if one.kind == "heading" or (one.id in parents and announces(text)):
            continue
        if above is not None and announces(above.text.strip()):
            text = f"{above.text.strip().rstrip(':—')} {text}"
        found += _rows(text, one.document_id, one.document_title, one.passage_id)
    return found


def of_answer(body: Mapping[str, Any], passages: Mapping[str, Mapping[str, Any]]) -> list[DutyRow]:
    """Return the duties in what an answer quotes; of a rule without a quotation, all of its own."""
    cited = {one["id"]: one for one in body["citations"]}
    quotes = [(one["id"], one["quote"]) for one in body["citations"] if one["quote"]]
    return [
        row
        for key, one in cited.items()
        for row in _rows(
            "\n".join(quote for of, quote in quotes if of == key)
            or str(passages.get(key, {}).get("passage", "")),
            one["document_id"], one["document_title"], one["passage_id"],
        )
    ]  # fmt: skip


def _rows(text: str, document_id: str, title: str, number: str) -> Iterator[DutyRow]:
    address = ORIGIN.get() and ORIGIN.get() + rule_address(document_id, number)
    for statement in statements_of(text):
        for words, exceptions in () if statement.heading else _said(statement):
            if kind_of(words) not in DUTIES:
                continue
            parts = duty_of(words)
            excepted = [one[0] for one in _EXCEPTION.finditer(words)] + exceptions
            amounts = dict.fromkeys(one[0].strip() for one in _AMOUNT.finditer(words))
            yield DutyRow(
                parts.actor, parts.duty, parts.act or words, parts.time, "; ".join(amounts),
                " ".join(excepted), cited_as(title or document_id, number), words, address,
            )  # fmt: skip


def _said(statement: Statement) -> Iterator[tuple[str, list[str]]]:
    """Yield the words of each item with its frame, or each sentence, and its exceptions."""
    pieces = statement.pieces
    exceptions = [i for i, one in enumerate(pieces) if i and takes_back(one.text)]
    above = {one.parent for one in pieces}
    items = [i for i, one in enumerate(pieces) if one.role in ("item", "row") and i not in above]
    for place in items or range(len(pieces)):
        if place in exceptions:
            continue
        chosen = sorted(with_parents(statement, place)) if items else [place]
        words = " ".join(_without_frame(pieces[i].text) for i in chosen if i not in exceptions)
        yield words, [pieces[i].text for i in exceptions]


def _without_frame(text: str) -> str:
    """Return a piece without the label before it and the colon behind it."""
    marker = find_marker(text)
    return text[marker.end if marker else 0 :].strip().rstrip(":—").strip()


def to_xlsx(rows: Iterable[DutyRow]) -> bytes:
    """Return rows as a spreadsheet below a head; no cell is a formula."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    sheet.append([WORDS(f"duty.{name}") for name in DutyRow._fields[:-1]])
    for place, row in enumerate(rows, start=2):
        for column, value in enumerate(row[:-1], start=1):
            cell = sheet.cell(place, column, one_line(value))
            cell.data_type, cell.alignment = "s", Alignment(wrap_text=True, vertical="top")
        if row.address:
            sheet.cell(place, len(row) - 2).hyperlink = row.address
    for column, width in enumerate(WIDTHS, start=1):
        sheet.cell(1, column).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.freeze_panes, sheet.auto_filter.ref = "A2", sheet.dimensions
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()
