"""Models that run in a loop: what they say over and over is shown once.

Only what comes again directly behind itself is a repetition, be it a sentence, a paragraph or a
round of several: "It must report at once." may well be below each of two headings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.llm.looping import says_something
from generation.verify.compare.statements import Spoken, sentences_in

LONGEST_ROUND = 40
"""Sentences of one round, about a page; whoever repeats more has no loop."""

_SPACE_BEHIND = re.compile(r"\s*$")


def without_repetitions(text: str) -> tuple[str, int]:
    """Return a text in which nothing is said again behind itself, and how many sentences went.

    A last round that the model did not bring to its end goes too.
    """
    sentences = sentences_in(text)
    said = [" ".join(one.text.casefold().split()) for one in sentences]
    kept = _kept(said)
    if len(kept) == len(said):
        return text, 0
    starts = _starts(text, sentences)
    pieces = [text[: starts[0]]]
    staying = set(kept)
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        piece = text[start:end]
        if place in staying:
            pieces.append(piece)
        else:
            pieces[-1] = _ending_as(pieces[-1], piece)
    return "".join(pieces).strip(), len(said) - len(kept)


def _kept(said: Sequence[str]) -> list[int]:
    """Return the places of what is not a repetition."""
    kept: list[int] = []
    loop: tuple[int, int] | None = None
    for place in range(len(said)):
        kept.append(place)
        if length := _round_at_end(said, kept):
            del kept[-length:]
            loop = len(kept), length
    if loop is not None and _is_unfinished(said, kept, *loop):
        del kept[loop[0] :]
    return kept


def _round_at_end(said: Sequence[str], kept: Sequence[int]) -> int:
    """Return of how many sentences the round is that just came for the second time; 0: none did."""
    for length in range(1, min(LONGEST_ROUND, len(kept) // 2) + 1):
        if said[kept[-1]] != said[kept[-1 - length]]:
            continue
        last = [said[place] for place in kept[-length:]]
        if last == [said[place] for place in kept[-2 * length : -length]]:
            return length if says_something(last) else 0
    return 0


def _is_unfinished(said: Sequence[str], kept: Sequence[int], end: int, length: int) -> bool:
    """Return whether what follows the rounds of a loop is the beginning of one more."""
    *whole, last = [said[place] for place in kept[end:]] or [""]
    expected = [said[place] for place in kept[end - length : end]]
    is_short = bool(last) and len(whole) < length
    return is_short and whole == expected[: len(whole)] and expected[len(whole)].startswith(last)


def _starts(text: str, sentences: Sequence[Spoken]) -> list[int]:
    """Return where each sentence begins, with its bullet where it opens a line."""
    starts, before = [], 0
    for one in sentences:
        line = text.rfind("\n", before, one.start) + 1
        starts.append(line or one.start)
        before = one.end
    return starts


def _ending_as(kept: str, dropped: str) -> str:
    """Return a piece that ends as the one behind it did, where that ended a paragraph."""
    here, behind = (_SPACE_BEHIND.search(piece) for piece in (kept, dropped))
    if here is None or behind is None or here[0].count("\n") >= behind[0].count("\n"):
        return kept
    return kept[: here.start()] + behind[0]
