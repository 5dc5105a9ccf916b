"""Numbers behind the code of their book, as `SYSC 4.1.1 R`, `CRE20.4` and `HC-1.1`.

The code is the same before every number and says nothing within the book; the letter behind the
number (R for a rule, G for guidance) belongs to it: the rule is cited as 4.1.1R.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from indexer.blocks import LeftOut
from search.language import vocabulary
from search.provisions.documents.titles import bracketed_code

CODE = "code of the book before a number"
"""The reason why it is in no passage."""

_NUMBER = r"\d{1,3}[A-Z]{0,2}(?:\.\d{1,3}[A-Z]{0,2})*"
_STATUS = r"(?:[ \u00a0](?P<status>UK|EU|[RGEDCP])(?=\s|$))?"
_CODED = re.compile(
    rf"(?P<before>\W*)(?P<code>[A-Z]{{2,8}})[ \u00a0-]?(?P<number>{_NUMBER})\.?{_STATUS}(?=[\s*]|$)"
)
_DOTTED = re.compile(rf"\W*{_NUMBER}(?<=\.\d)")
_FEWEST = 2
"""One number behind a code may be a reference that a line begins with."""
_NO_CODES = frozenset(
    {"figure", "guidance", "level", "no", "note", "page", "step", "table", "version"}
)
"""What is numbered in many books, beside their units."""


class Uncoded(NamedTuple):
    """The texts of a book without the code before their numbers."""

    texts: list[str]
    code: str
    """Empty: the numbers stand alone."""
    places: frozenset[int]
    """0-based places of the texts that had it."""

    def left_out(self, place_of: Callable[[int], int]) -> list[LeftOut]:
        """Return what was taken away.

        Args:
            place_of: where in the source a text is.
        """
        return [LeftOut(self.code, CODE, place_of(at)) for at in sorted(self.places)]


def without_codes(texts: Sequence[str]) -> Uncoded:
    """Take the code of a book away from its numbers."""
    code = own_code(texts)
    bare = [without_code(text, code) for text in texts]
    places = (at for at, text in enumerate(texts) if bare[at] != text)
    return Uncoded(bare, code, frozenset(places))


def without_code(text: str, code: str) -> str:
    """Return a text that begins with the code and a number without the code, any other as it is."""
    found = _coded(text) if code else None
    if found is None or found["code"] != code:
        return text
    status = found["status"] or ""
    return f"{found['before']}{found['number']}{status}{text[found.end() :]}"


def titled(title: str, code: str) -> str:
    """Return the title of a book with the code by which it is cited: `Conduct Rulebook (COND)`.

    Args:
        title: empty where the book has none.
        code: empty where its numbers stand alone.
    """
    if not title or not code or bracketed_code(title):
        return title or code
    return title if re.search(rf"\b{re.escape(code)}(?![A-Za-z])", title) else f"{title} ({code})"


def own_code(texts: Iterable[str]) -> str:
    """Return the code that most dotted numbers come after, or "" where they are alone."""
    codes: Counter[str] = Counter()
    for text in texts:
        if found := _coded(text):
            codes[found["code"]] += "." in found["number"]
        elif _DOTTED.match(text):
            codes[""] += 1
    code, count = codes.most_common(1)[0] if codes else ("", 0)
    return code if count >= _FEWEST else ""


def _coded(text: str) -> re.Match[str] | None:
    found = _CODED.match(text)
    word = found["code"].lower() if found else ""
    return None if word in _NO_CODES or vocabulary.unit_of(word) else found
