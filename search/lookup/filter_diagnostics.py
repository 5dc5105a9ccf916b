"""Why filters leave nothing: a value that is misspelt looks like a rulebook without a rule."""

from __future__ import annotations

from difflib import get_close_matches

from search.engines.protocol import Engine
from search.law_in_time import STATUS, STATUSES, left_out
from search.messages.refusals import LEAST_ALIKE
from search.records import Filters, filter_text


def unmatched_filters(engine: Engine, filters: Filters) -> list[str]:
    """Say which values of the filters no passage has, or that none passes them together.

    Returns:
        Sentences; none, if a passage passes.
    """
    missing = [
        f"no passage of the index has {field} {value!r}{_nearest(engine, field, value)}"
        for field, values in filters.fields.items()
        for value in values
        if not engine.find(Filters({field: (value,)}), limit=1)
    ]
    if missing or engine.find(filters, limit=1):
        return missing
    if filters.excluded and (hidden := engine.find(Filters(filters.fields), limit=1)):
        return [left_out(hidden[0][1])]
    return ["no passage of the index passes all filters together"]


def _nearest(engine: Engine, field: str, value: str) -> str:
    """Return the value of a field that was probably meant, as a clause; empty: none is near."""
    known: dict[str, str] = {}
    for document in engine.documents():
        held = document.metadata.get(field, ())
        for one in held if isinstance(held, tuple) else (held,):
            known.setdefault(filter_text(one).casefold(), filter_text(one))
    near = get_close_matches(value.casefold(), known, n=1, cutoff=LEAST_ALIKE)
    if near:
        return f"; did you mean {known[near[0]]!r}?"
    return f"; rirag knows {', '.join(STATUSES)}" if field == STATUS else ""
