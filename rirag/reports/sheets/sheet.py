"""What a sheet shows of an answer, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generation.render import law_day, remarks
from rirag.reports.sheets.sources import Source, sources_of

FEWEST_DUTIES = 3
"""Quoted duties from which on a table shows who must do what by when."""

DUTY_COLUMNS = ("Who", "Duty", "What", "When", "Rule")
STATES = {
    "answered": "Answered",
    "unsure": "Only the nearest provisions are quoted",
    "nothing": "Nothing found",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer with everything that a reader needs to check it."""

    question: str
    text: str
    """The answer and the remarks on it, in light Markdown."""
    duties: tuple[tuple[str, ...], ...]
    """Rows of `DUTY_COLUMNS`; empty where too few duties are quoted."""
    sources: tuple[Source, ...]
    facts: tuple[tuple[str, str], ...]
    """Name and value of what is to be known of the answer."""


def sheet_of(
    body: Mapping[str, Any],
    passages: Mapping[str, Mapping[str, Any]],
    index: str,
    given: str,
    more: Mapping[str, str] | None = None,
) -> Sheet:
    """Return the sheet of an answer.

    Args:
        body: the JSON form of the answer.
        passages: `ID` → JSON form of each cited passage.
        index: name and state of the index.
        given: when the answer was given.
        more: further facts.
    """
    sources = sources_of(body, passages)
    state = STATES.get(str(body.get("state")), "")
    facts = {"Question": str(body["Question"]), "Date": given, "Law as on": law_day(body),
             "Index": index, "State": state, "Mode": str(body["mode"]), **(more or {})}  # fmt: skip
    shown = tuple((name, value) for name, value in facts.items() if value)
    text = "\n\n".join([str(body["Answer"]), *remarks(body)])
    return Sheet(str(body["Question"]), text, duties_of(body), tuple(sources), shown)


def duties_of(body: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of `DUTY_COLUMNS` of an answer that quotes at least `FEWEST_DUTIES`."""
    rows = [
        (one["actor"], one["duty"], one["act"], one["time"], f"{one['passage_id']} {one['marker']}")
        for one in body.get("statements") or ()
        if one["role"] != "answer" and one["actor"] and one["duty"]
    ]
    return tuple(rows) if len(rows) >= FEWEST_DUTIES else ()
