"""The markers of list items in legal text: `(a)`, `(ii)`, `3)`, `b.`, `4.`, bullets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.roman import roman_value

_BULLET = r"[•▪●◦–—-]|o(?=\t)"
BULLET = re.compile(rf"\s*(?:{_BULLET})\s+(?=\S)")
"""The sign before an item of a list that is not counted."""
_MARKER = re.compile(
    r"\s*(?:(?P<both>\((?P<b>[0-9]{1,3}[A-Z]?|[a-z]{1,5}|[A-Z]{1,4})\))"
    r"|(?P<right>(?P<r>[0-9]{1,3}|[a-z]{1,4})\))"
    r"|(?P<dot>(?P<d>[0-9]{1,3}|[a-zA-Z]|[ivx]{1,5})\.(?P<tab>(?=\t))?)"
    rf"|(?P<bullet>{_BULLET}))\s+(?=\S)"
)

Style = tuple[str, str]
"""Form of the brackets, and what is counted with: `("both", "alpha")`."""


@dataclass(frozen=True, slots=True)
class Marker:
    """The marker at the head of a line."""

    form: str
    value: str
    """What is between the brackets; empty for a bullet."""
    end: int
    """Where the line's own text begins."""
    doubtful: bool = False
    """Whether it may as well open a sentence, as in `2. A firm must …`, or be the end of one."""

    def styles(self) -> tuple[Style, ...]:
        """Return the styles it may belong to, likeliest first: `(i)` may be a letter or a one."""
        if self.form == "bullet":
            return (("bullet", ""),)
        if self.value[0].isdigit():
            return ((self.form, "number"),)
        case = "upper" if self.value.isupper() else "lower"
        letter, roman = (self.form, f"{case} letter"), (self.form, f"{case} roman")
        if not set(self.value.lower()) <= set("ivxl"):
            return (letter,)
        if len(self.value) > 1:
            return (roman, letter)
        return (roman, letter) if self.value in "iI" else (letter, roman)

    def is_first(self) -> bool:
        """Return whether it opens a list."""
        return self.form == "bullet" or self.value.lower() in ("1", "a", "i")

    def follows(self, before: str, style: Style) -> bool:
        """Return whether it is the very next after a value, in one of its styles."""
        return 0 < _place(before, style) == _place(self.value, style) - 1

    def goes_beyond(self, before: str, style: Style) -> bool:
        """Return whether it comes after a value, perhaps with gaps, in one of its styles."""
        return 0 < _place(before, style) < _place(self.value, style)


def _place(value: str, style: Style) -> int:
    if style[1].endswith("roman"):
        return roman_value(value.lower()) or 0
    if style[1].endswith("letter") and len(value) == 1:
        return ord(value.lower()) - ord("a") + 1
    return int(value) if style[1] == "number" and value.isdecimal() else 0


def find_marker(line: str) -> Marker | None:
    """Return the marker at the head of a line, None if it has none."""
    found = _MARKER.match(line)
    if not found:
        return None
    form = next(name for name in ("both", "right", "dot", "bullet") if found[name])
    value = found["b"] or found["r"] or found["d"] or ""
    return Marker(form, value, found.end(), form == "dot" and found["tab"] is None)


LONGEST_HEADING_WORDS = 14
LONGEST_STOPPED_HEADING_WORDS = 7
"""Titles that end in a stop, such as `Storage Facilities.`, are shorter than whole sentences."""

_VERB = re.compile(
    rf"\b{vocabulary.forms('headings.verbs', 'en')}\b"
    rf"|\b(?i:{vocabulary.forms('headings.verbs', 'de')}"
    rf"|{vocabulary.forms('headings.verbs', 'fr')})\b"
)
_GOES_ON = frozenset(vocabulary.words("headings.goes_on"))
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
    if text.endswith((":", ";", ",", "—")) or re.split(r"\W", text)[-1] in _GOES_ON:
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
