"""Whose law a question asks for, where an index holds the law of several states."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.documents.names import DocumentNames
from search.provisions.jurisdictions import is_law_of, places_in, speaks_of_us

_BEFORE = re.compile(rf"(?:\b{vocabulary.any_of('asked.places', 'en')}\s+)+$", re.IGNORECASE)
"""Before the name of a state that ends a clause: both are taken out."""
_BEHIND = re.compile(r"\w*(?:['’]s\b)?\s*(?P<end>[,;:]\s*|(?=[.?!]|$))?")
"""Behind the name of a state: its ending, and what parts it from the rest."""
_JOINED = "|".join(vocabulary.languages()["de"].acts_joined)
_LAW = re.compile(
    rf"\w*(?:['’]s)?(?:\s+[\w-]+){{0,3}}?\s+(?:{vocabulary.any_of('asked.laws')}"
    rf"|\w*(?:{_JOINED})\w*)\b"
)
"""Behind the name of a state whose law is asked for by this name: `German money laundering law`."""


@dataclass(frozen=True, slots=True)
class LawAsked:
    """The documents of an index by whether they are law where a question asks.

    Documents that are nobody's law, such as own policies, are in none of the three.
    """

    states: tuple[str, ...]
    """Codes of the states that the question names, in its order."""
    own: frozenset[str]
    """DocumentIDs of their law; without any, of what else is law there. Never empty."""
    beside: frozenset[str]
    """Those of what else is law there: EU law, or that of the whole state or of its parts."""
    elsewhere: frozenset[str]
    """Those of what is law in other states alone."""
    guessed: frozenset[str]
    """Those of the three whose words alone suggest whose law they are."""
    subject: str
    """What is asked, without the names of the states."""
    is_named: bool
    """Whether the question speaks of the law of a state, as in `Irish law`."""
    is_own_affair: bool
    """Whether it speaks of "us": own policies may answer it as well."""


def law_asked(question: str, names: DocumentNames) -> LawAsked | None:
    """Return whose law a question asks for; None: it names no state, or the index has no other's.

    "Irish" asks for Irish law and for that of the European Union, "Ontario" for its own and for
    that of Canada.
    """
    laws = {*names.by_law, *names.probably_by_law}
    if len(laws) < 2:
        return None  # most indexes: their questions are not read for states
    places = places_in(question)
    states = tuple(dict.fromkeys(state for _, _, state in places))
    here = {law for law in laws if any(is_law_of(law, state) for state in states)}
    if not here or here == laws:
        return None
    own = here.intersection(states) or here
    left = question
    for start, end in sorted({place[:2] for place in places}, reverse=True):
        before, behind = left[:start], _BEHIND.match(left, end)
        if behind and behind["end"] is not None:
            before = _BEFORE.sub("", before).rstrip()
        left = f"{before} {left[behind.end() if behind else end :]}"
    is_named = any(_LAW.match(question, end) for _, end, _ in places)
    return LawAsked(
        states,
        names.of_laws(own),
        names.of_laws(here - own),
        names.of_laws(laws - here),
        frozenset().union(*names.probably_by_law.values()),
        " ".join(left.split()),
        is_named,
        speaks_of_us(question),
    )
