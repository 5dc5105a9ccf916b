"""The short title that an act gives itself, for acts that a publisher titles by a mere number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from search.language import vocabulary
from search.provisions.documents.titles import GENRES, STOP_WORDS

MOST_READ = 400
"""Texts of an act in which its short title is looked for."""

_NUMBERED = re.compile(
    r"(?P<number>(?:public law|(?:senate|house|assembly) bill|[SHA]\.? ?B\.?|H\. ?R\.)\s*"
    r"(?:no\.? ?)?\d[\d–-]*)(?:\s*—.*)?",
    re.IGNORECASE,
)
"""`PUBLIC LAW 104–191—AUG. 21, 1996`, `SENATE BILL 21-190`."""

_CALLED = (
    rf"(?:this (?:act|bill|{vocabulary.pattern(vocabulary.units(), 'en', short=False)}(?: [\d.]+)?)"
    r" (?:(?:is|are|may be|shall be)(?: known(?: and(?: may be)?)?)?(?: cited)? as|may be called)"
    r"|the short title of this [\w. ]{1,20}? is)"
)
_QUOTED = r"(?:''|[\"“‘])(?P<quoted>[^\"“”‘’]{5,120}?)(?:''|[\"”’])"
_WORD = r"(?:[A-Z][\w’'-]*|of|in|and|the|for|on)"
_PLAIN = rf"(?-i:(?P<plain>{_WORD}(?: {_WORD}){{1,14}}))"
_CLAUSE = re.compile(rf"\b{_CALLED} (?:the )?(?:{_QUOTED}|{_PLAIN})", re.IGNORECASE)


def own_title(title: str, texts: Iterable[str]) -> str:
    """Return the short title followed by the number, or the title itself if it is not a number.

    Args:
        title: as the publisher has it.
        texts: of the act, in order.
    """
    numbered = _NUMBERED.fullmatch(title.strip())
    if numbered is None:
        return title
    for text in islice(texts, MOST_READ):
        found = _CLAUSE.search(" ".join(text.split()))
        name = (found["quoted"] or found["plain"]).strip(" .,") if found else ""
        if not GENRES.isdisjoint(name.casefold().split()):
            return f"{_in_title_case(name)} ({_in_title_case(numbered['number'])})"
    return title


def _in_title_case(name: str) -> str:
    if not name.isupper():
        return name
    return " ".join(
        word if word in STOP_WORDS else word.capitalize() for word in name.casefold().split()
    )
