"""Stored answers as files that can be sent around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rirag.reports.sheets.files import MEDIA_TYPES, in_form
from rirag.reports.sheets.sheet import sheet_of

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer


def exported(
    answer: StoredAnswer, form: str, changed: Sequence[Mapping[str, Any]]
) -> tuple[bytes, str]:
    """Return an answer as `md`, `html` or `docx`, and the media type of that.

    Args:
        answer: as it was given.
        form: of the file.
        changed: cited rules that have changed since.
    """
    since = [f"{one['passage_id']} ({one['change']})" for one in changed]
    index, filters = answer.body["index"], answer.body["filters"]
    chosen = [f"{name} = {' or '.join(values)}" for name, values in filters.items()]
    sheet = sheet_of(
        answer.body,
        answer.passages,
        index=f"{index['url']}, state {index['generation']}",
        given=answer.given,
        more={"Filters": "; ".join(chosen) or "none", "Answer ID": answer.id},
    )
    if since:
        told = f"Rules that changed since this answer was given: {', '.join(since)}."
        sheet = replace(sheet, text=f"{told}\n\n{sheet.text}")
    return in_form(sheet, form), MEDIA_TYPES[form]
