"""Rules that a person pinned to questions come first, or in the place that the pin says."""

from __future__ import annotations

from dataclasses import replace

from search.lookup.pins import Pinned, find_pinned
from search.ranking.steps.protocol import Search
from search.trace import PinnedRule

MOST = 20
"""Passages that are pinned to one question."""


def run(search: Search) -> Search:
    """Return the search with these passages in their places.

    Where one comes first there is no doubt that the index answers: somebody said so.
    """
    opened, filters = search.opened, search.question.filters
    pinned: dict[str, tuple[Pinned, PinnedRule]] = {}
    notes = []
    with search.timed("pinned"):
        for pin, _ in opened.tuning.pins.found_in(search.question.text):
            if len(pinned) >= MOST:
                break
            for rule in pin.rules:
                found = find_pinned(opened.engine, opened.names, rule, filters)
                if found.past:
                    notes.append(f"{found.past}; it is pinned to {pin.condition!r}")
                for candidate, passage in found.passages:
                    told = PinnedRule(passage.citation(), passage.id, pin.condition)
                    pinned.setdefault(passage.id, (Pinned(candidate, pin.place), told))
    rules = tuple(told for _, told in pinned.values())
    notes += [f"{one.citation} is pinned to {one.condition!r}" for one in rules]
    search = replace(search, pinned=tuple(one for one, _ in pinned.values()))
    search = search.noted(*notes, pinned=rules)
    is_first = any(one.place == 1 for one in search.pinned)
    return search.noted(answerable=None, answerable_by="", nearness=None) if is_first else search
