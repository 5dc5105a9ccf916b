"""What answered the very question before comes first, and rules that a person pinned to it where
the pin says.
"""

from __future__ import annotations

from dataclasses import replace

from search.lookup.pins import find_pinned
from search.ranking.steps.protocol import Search
from search.records import Key
from search.trace import PinnedRule

MOST = 20
"""Pins of one question that count."""


def run(search: Search) -> Search:
    """Return the search with these passages in their places.

    Where one comes first there is no doubt that the index answers: somebody said so.
    """
    opened, filters = search.opened, search.question.filters
    answers = search.recalled.answers_to(search.question.text).tolist()
    found_first = search.fused.keys.take(search.ranking.places).tolist() if answers else []
    pinned: dict[Key, int] = {key: 1 for key in found_first if key in answers}
    rules, notes = [], []
    with search.timed("pinned"):
        for words, _ in opened.tuning.pins.found_in(search.question.text)[:MOST]:
            for rule in words.meaning.rules:
                found = find_pinned(opened.engine, opened.names, rule, filters)
                if found.past:
                    notes.append(f"{found.past}; it is pinned to {words.text!r}")
                new = [pair for pair in found.passages if pair[0].key not in pinned]
                pinned |= {candidate.key: words.meaning.place for candidate, _ in new}
                rules += [PinnedRule(one.citation(), one.id, words.text) for _, one in new]
    notes += dict.fromkeys(f"{one.citation} is pinned to {one.condition!r}" for one in rules)
    search = replace(search, pinned=pinned).noted(*notes, pinned=tuple(rules))
    is_first = 1 in pinned.values()
    return search.noted(answerable=None, answerable_by="", nearness=None) if is_first else search
