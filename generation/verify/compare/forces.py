"""What a wording binds to: duty, ban, leave, advice; told by modal verbs and fixed phrases.

English only: a text in another language has no force that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from generation.verify.compare.words import BARE_MAY
from search.language import vocabulary

Force = Literal["duty", "ban", "release", "advice against", "advice", "leave"]

_MONTH = re.compile(
    rf"(?<=\d )(?:{BARE_MAY}|may(?= \d{{4}}\b))|(?<=\b(?:in|of|by) )may\b(?! (?:not|be)\b)"
)
"""May as a month: "31 May each year", "by May"."""
_UNABLE = re.compile(vocabulary.forms("forces.unable", "en"))
_NAMES: tuple[Force, ...] = ("release", "ban", "advice against", "duty", "advice", "leave")
"""In the order in which they are tried at one place: "must not" before "must"."""
_ANY = re.compile(
    "|".join(
        rf"(?P<f{place}>\b{vocabulary.forms(f'forces.{name.replace(chr(32), chr(95))}', 'en')})"
        for place, name in enumerate(_NAMES)
    )
)

NEGATIONS = frozenset(vocabulary.words("forces.negations", "en"))
"""Words that turn a statement round, or open an exception."""

EXCEPTIONS = frozenset({"except", "unless"})
"""Negations that open an exception: another thing than `not`."""

OPPOSITES = tuple(frozenset(pair.split()) for pair in vocabulary.words("forces.opposites", "en"))
"""Pairs of words of which one must not take the other's place."""


def forces_in(text: str) -> list[tuple[Force, str]]:
    """Return every force of a folded text, in order, with the words that carry it."""
    text = _forceful(text)
    return [(_NAMES[int(str(m.lastgroup)[1:])], m[0]) for m in _ANY.finditer(text)]


def _forceful(text: str) -> str:
    """Return a folded text without words that only look like those of a force."""
    return _UNABLE.sub(r"\1...", _MONTH.sub("...", text))


def is_carried(said: Force, source: Iterable[Force]) -> bool:
    """Return whether a source with these forces can carry what is said.

    What the source only advises is not a duty, and what it demands is not mere advice.
    """
    there = set(source)
    if said in there:
        return True
    # "may only … if" and "is not permitted unless" demand and allow in one breath.
    return said in ("release", "leave") and bool(there & {"release", "leave"})
