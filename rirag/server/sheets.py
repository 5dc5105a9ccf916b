"""Stored answers as files that can be sent around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rirag.reports.sheets.files import MEDIA_TYPES, in_form
from rirag.reports.sheets.sheet import sheet_of

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer


def exported(answer: StoredAnswer, form: str) -> tuple[bytes, str]:
    """Return an answer as `md`, `html` or `docx`, and the media type of that."""
    index, filters = answer.body["index"], answer.body["filters"]
    chosen = [f"{name} = {' or '.join(values)}" for name, values in filters.items()]
    sheet = sheet_of(
        answer.body,
        answer.passages,
        index=f"{index['url']}, state {index['generation']}",
        given=answer.given,
        more={"Filters": "; ".join(chosen) or "none", "Answer ID": answer.id},
    )
    return in_form(sheet, form), MEDIA_TYPES[form]
