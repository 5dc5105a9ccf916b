"""The words that two wordings of a rule do not share."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from search.caches import CAPACITY
from search.text.wording import wording

Operation = Literal["equal", "insert", "delete"]
Difference = tuple[tuple[Operation, str], ...]
"""Pieces of text in the order of the later wording, what was deleted before what replaces it."""

_WORD = re.compile(r"\S+\s*")
_plain = lru_cache(CAPACITY)(wording)
_LONGEST = 20_000
"""Words of the longest text that is compared word by word."""


def difference(before: str, after: str) -> Difference:
    """Return what was deleted and inserted, word by word.

    What makes no difference in law (white space, quotation marks, dashes, other punctuation, case)
    is equal, and shown as the later wording has it.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _LONGEST:
        return (("delete", before), ("insert", after))
    plain, newer = ([*map(_plain, words)] for words in (old, new))
    matcher = SequenceMatcher(None, plain, newer, autojunk=False)
    pieces: list[tuple[Operation, str]] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            _add(pieces, "equal", "".join(new[start:end]))
            continue
        deleted, inserted = "".join(old[first:last]), "".join(new[start:end])
        if wording(deleted) == wording(inserted):
            _add(pieces, "equal", inserted)
            continue
        _add(pieces, "delete", deleted)
        _add(pieces, "insert", inserted)
    return tuple(pieces)


def _add(pieces: list[tuple[Operation, str]], kind: Operation, text: str) -> None:
    """Add a piece; what touches one of its kind joins it, with deleted words before inserted."""
    if not text:
        return
    if pieces and pieces[-1][0] == kind:
        pieces[-1] = (kind, pieces[-1][1] + text)
    else:
        pieces.append((kind, text))
