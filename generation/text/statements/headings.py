"""Distinguish titles from statements: a title states nothing and is not quoted."""

from __future__ import annotations

import re

from generation.text.statements.markers import BULLET
from search.language import vocabulary

LONGEST_HEADING_WORDS = 14
LONGEST_STOPPED_HEADING_WORDS = 7
"""Titles that end in a stop, such as `Storage Facilities.`, are shorter than whole sentences."""

_VERB = re.compile(
    rf"\b{vocabulary.forms('headings.verbs', 'en')}\b"
    rf"|\b(?i:{vocabulary.forms('headings.verbs', 'de')}"
    rf"|{vocabulary.forms('headings.verbs', 'fr')})\b"
)
_GOES_ON = re.compile(rf"\b{vocabulary.forms('headings.goes_on')}$")
_SENTENCE = re.compile(vocabulary.forms("headings.sentence", "en"))
_NO_TITLE = re.compile(r"\(?[a-z0-9]{1,4}[.)]\s|[a-z]\S* \S+ \S|[^=]*=")
"""What no title begins with: the marker of a list, a small letter; and a formula."""
_INLINE = re.compile(r"(?P<head>[A-Z][^:.;]{2,70}:)\s+(?=[A-Z“\"])")


def has_verb(text: str) -> bool:
    """Return whether a text has one of the verbs that rules are made with."""
    return _VERB.search(text) is not None


def reads_as_heading(text: str) -> bool:
    """Return whether a line or sentence is a title: short, no verb, does not introduce a list.

    A short question, as in a list of questions and answers, is the title of its answer.
    """
    words = text.split()
    if text.endswith("?"):
        return len(words) <= LONGEST_HEADING_WORDS
    if text.endswith((":", ";", ",", "—")) or _GOES_ON.search(text):
        return False
    if _VERB.search(text) or BULLET.match(text):
        return False
    if not text.endswith("."):
        return len(words) <= LONGEST_HEADING_WORDS
    states = _SENTENCE.match(text) or _NO_TITLE.match(text)
    return len(words) <= LONGEST_STOPPED_HEADING_WORDS and not states


def without_inline_heading(sentence: str) -> list[str]:
    """Return heading and sentence where one line has both, as in `Timing: A Person must …`.

    A name with its value, such as `Owner: Head of IT`, is one.
    """
    found = _INLINE.match(sentence)
    if not found or _VERB.search(found["head"]) or reads_as_heading(sentence[found.end() :]):
        return [sentence]
    return [found["head"].rstrip(), sentence[found.end() :]]
