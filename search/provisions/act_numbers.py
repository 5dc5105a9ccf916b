"""The numbers of EU acts in titles and texts: "Regulation (EU) No 575/2013" is 575/2013."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files

from search.language import vocabulary

NAMES = tomllib.loads((files(__package__) / "act_names.toml").read_text(encoding="utf-8"))
"""What people call these acts, and the words by which they speak of others."""

SHORT_NAMES: Mapping[str, tuple[str, ...]] = {
    number: tuple(names) for number, names in NAMES["names"].items()
}
"""Number of an act → what people call it."""

_UNION = "|".join(vocabulary.words("union.marks", vocabulary.COMMON))
UNION = rf"\((?:{_UNION}|CFSP)(?:,\s?Euratom)?\)"
"""The mark of an act of the Union, as part of a regular expression."""
NUMBER = (
    r"(?:N(?:[or]|\.?[°ºo])?\.?\s*)?(?P<number>\d{1,4}/(?:19|20)\d\d|(?:19|20)?\d\d/\d{1,4})"
    rf"(?:/(?:{_UNION}))?(?![\w/])"
)
"""The number of such an act, for an expression in which case does not matter."""
KINDS = "|".join(
    vocabulary.longest_first(
        kind for one in vocabulary.languages().values() for kind in one.acts_of_union
    )
)
_ACT = re.compile(
    r"(?:\b(?:(?:Commission|Council|Delegated|Implementing)\s+){0,3}"
    rf"(?:{KINDS})\s+(?:{UNION}\s+)?|{UNION}\s+)(?i:{NUMBER})"
)


def act_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, number) of each EU act that a text names by its number."""
    for found in _ACT.finditer(text):
        yield found.start(), found.end(), found["number"]


def act_number(title: str) -> str | None:
    """Return the number of the act that a title belongs to: the first that it names, or None."""
    return next((number for _, _, number in act_numbers(title)), None)
