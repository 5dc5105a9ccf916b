"""What searches said of themselves, once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from indexer.load.report import count

MOST_TOLD = 5
"""Notes on single questions, such as a rule number that no document has, can be many."""


def told(notes: Mapping[str, int], searches: int) -> tuple[str, ...]:
    """Return a sentence a note, the most frequent first.

    Args:
        notes: note of a plan → how many searches said it.
        searches: how many there were.
    """
    shown = Counter(notes).most_common(MOST_TOLD)
    noun = "search" if searches == 1 else "searches"
    sentences = [f"{said:,} of {searches:,} {noun}: {note}" for note, said in shown]
    if len(notes) > len(shown):
        sentences.append(f"and {count(len(notes) - len(shown), 'more note')} of single searches")
    return tuple(sentences)
