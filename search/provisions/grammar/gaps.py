"""What is between two references: words and signs that join, list, range or lead to a whole."""

from __future__ import annotations

import re
from functools import lru_cache

from search.language import vocabulary

AND, TO, OF = (frozenset(vocabulary.link_words(role)) for role in ("and", "to", "of"))
_PHRASES = "|".join(
    re.escape(one) for one in vocabulary.longest_first(AND | TO | OF) if not one.isalpha()
)
_TOKEN = re.compile(rf"(?:{_PHRASES})(?!\w)|\w+|[^\w\s]")
_DASHES = frozenset("–—-")


@lru_cache(maxsize=256)
def tokens(gap: str) -> tuple[str, ...]:
    """Return the words, phrases such as `as well as`, and signs of a gap."""
    return tuple(_TOKEN.findall(gap))


def _links(gap: str) -> tuple[str, ...]:
    """Return the same with `and` for `AND`; a single capital is the name of something."""
    return tuple(one.lower() if len(one) > 1 and one.isupper() else one for one in tokens(gap))


def joins(gap: str, signs: str = ";&/–—-") -> bool:
    """Return whether a gap has "and" in any language, or one of some signs."""
    return any(one in AND or one in signs for one in tokens(gap))


def leads_inside(gap: str) -> bool:
    """Return whether a gap has "of" in any language, as in "(b) of 3.4.2"."""
    return any(one in OF or one == "on" for one in tokens(gap))


def continues(gap: str) -> bool:
    """Return whether a gap is one of a list or of a range."""
    return is_list(gap) or is_range(gap)


def is_range(gap: str) -> bool:
    """Return whether a gap is what is between the ends of a range: "6.2.2 to 6.2.4"."""
    return len(found := _links(gap)) == 1 and found[0] in TO | _DASHES


def is_list(gap: str) -> bool:
    """Return whether a gap is what is between the members of a list: "6.2.2, 6.2.3 and 6.2.4"."""
    match _links(gap):
        case (one,):
            return one in AND or one in ",;&/"
        case (sign, one):
            return sign in ",;" and one in AND
    return False
