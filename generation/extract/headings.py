"""Tells titles from statements: a title states nothing and is not quoted."""

from __future__ import annotations

import re

LONGEST_HEADING_WORDS = 14
LONGEST_STOPPED_HEADING_WORDS = 7
"""Titles that end in a stop, such as `Storage Facilities.`, are shorter than whole sentences."""

_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|must|may|shall|should|will|would|can|"
    r"cannot|could|means?|includes?|applies|apply|requires?|ensure|expects?|considers?|provides?)\b"
)
_INLINE = re.compile(r"(?P<head>[A-Z][^:.;]{2,70}:)\s+(?=[A-Z“\"])")


def is_heading(text: str) -> bool:
    """Tell whether a line or sentence is a title: short, without a verb, not introducing a list."""
    words = text.split()
    if text.endswith((":", ";", ",", "—")) or _VERB.search(text):
        return False
    longest = LONGEST_STOPPED_HEADING_WORDS if text.endswith(".") else LONGEST_HEADING_WORDS
    return len(words) <= longest


def without_inline_heading(sentence: str) -> list[str]:
    """Return heading and sentence where one line has both, as in `Timing: A Person must …`."""
    found = _INLINE.match(sentence)
    if not found or _VERB.search(found["head"]):
        return [sentence]
    return [found["head"].rstrip(), sentence[found.end() :]]
