"""Filters that leave nothing say why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from sample import record

from search.index import Index

Make = Callable[..., Index]


@pytest.mark.parametrize(
    ("filters", "notes"),
    [
        (
            {"topic": "Privacy"},
            ["no passage of the index has topic 'Privacy'; did you mean 'privacy'?"],
        ),
        (
            {"topic": ["Privacy", "tax"], "kind": "table"},
            ["topic 'Privacy'", "topic 'tax'", "kind 'table'"],
        ),
        (
            {"topic": "fees", "year": "2024"},
            ["passes all filters together"],
        ),
        ({"topic": "privacy"}, []),
    ],
)
def test_why_nothing_passes_is_told(
    index_of: Make, filters: dict[str, str | Sequence[str]], notes: Sequence[str]
) -> None:
    index = index_of(
        record("1", "Keep widgets secret.", topic="privacy", year="2024"),
        record("2", "Pay for widgets.", DocumentID="fees", topic="fees", year="2023"),
    )
    result = index.search("widgets", filters=filters)
    assert bool(result.hits) == (not notes)
    told = result.trace.notes
    assert len(told) == len(notes)
    assert all(note in told_one for told_one, note in zip(told, notes, strict=True))
