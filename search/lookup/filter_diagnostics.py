"""Why filters leave nothing: a value that is misspelt looks like a rulebook without a rule."""

from __future__ import annotations

from search.engines.protocol import Engine
from search.records import Filters


def unmatched_filters(engine: Engine, filters: Filters) -> list[str]:
    """Say which values of the filters no passage has, or that none passes them together.

    Returns:
        Sentences; none, if a passage passes.
    """
    missing = [
        f"no passage of the index has {field} {value!r}"
        for field, values in filters.fields.items()
        for value in values
        if not engine.find(Filters({field: (value,)}), limit=1)
    ]
    if missing or engine.find(filters, limit=1):
        return missing
    return ["no passage of the index passes all filters together"]
