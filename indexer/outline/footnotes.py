"""Footnotes as passages of their own, below the passage that refers to them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from indexer.blocks import Block
from indexer.outline.passages import OutlinePassage


def with_footnotes(
    passages: Sequence[OutlinePassage], notes: Sequence[Block]
) -> tuple[OutlinePassage, ...]:
    """Return passages with each footnote behind the one that refers to it.

    `2.1` with the fifth footnote of the document is followed by `2.1.Footnote.5`.

    Args:
        passages: of a document, in its order; at least one.
        notes: its footnotes in their order, each with the place of the text that refers to it.
    """
    places = [passage.place for passage in passages]
    below: dict[int, list[OutlinePassage]] = {}
    for count, note in enumerate(notes, start=1):
        referring = max(bisect_right(places, note.place) - 1, 0)
        number = f"{passages[referring].number.rstrip('.')}.Footnote.{count}"
        below.setdefault(referring, []).append(
            OutlinePassage(number, note.text.strip(), note.place)
        )
    return tuple(
        one for at, passage in enumerate(passages) for one in (passage, *below.get(at, ()))
    )
