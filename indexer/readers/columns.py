"""Which column of a table, or field of records, is the number, the text and the heading.

Values decide: numbers are short, unique codes, the text is the longest, a heading is short beside
them. Names break ties (`names.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

NUMBER, TEXT, HEADING, DOCUMENT, DOCUMENT_TITLE = (
    "PassageID", "Passage", "Heading", "DocumentID", "DocumentTitle",
)  # fmt: skip
"""What a column may be, by the names that records of passages have."""
PROSE = 4
"""Mean words of a column of texts without a name for them, at least."""
_FEWEST = 3
"""Values that show a column of headings without a name, at least."""
_LONGEST_NUMBER = 40
_WORDS_OF_NUMBER = 4
_HEADING_WORDS = 15
_SURE = 0.85
"""Score of a column that is taken for numbers without a name for them, at least."""
_LIKELY = 0.3
_NAMED = 0.5
"""What a name adds to the score of a column: less than a column of other values loses."""
_CODE = re.compile(
    r"(?!.*://|.+\[|.*:\s|urn:|\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4}|.*\d{7}|[\da-f]{8}-[\da-f]{4}-)"
    r"(?:.*\d.*|[A-Z][A-Z.&-]{0,11}|[(\[]?[a-zA-Z]{1,2}[)\].]+|[(\[]?[IVXLCivxlc]+[)\].–-]*|第.+[條条章節节])",
    re.DOTALL,
)
"""No date, address or key of a database; a digit, capitals alone, a letter with its mark."""
_UNPARTED = re.compile("[\u0e00-\u0eff\u2e80-\U0010ffff]")
_PARTS = re.compile(r"\d+|\D+")
NAME_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


@cache
def names(part: str) -> Any:
    """Return the names of a part that formats use: a set, or a table, as for `dates`."""
    found = tomllib.loads((files(__package__) / "names.toml").read_text(encoding="utf-8"))[part]
    return frozenset(found) if isinstance(found, list) else found


def folded(name: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def named(name: str, part: str) -> float:
    """Return how surely a name means a part: 1, or .5 if its last word alone does; else 0."""
    name = name.rpartition("/")[2]
    if folded(name) in names(part):
        return 1.0
    words = NAME_WORDS.findall(name)
    return 0.5 if len(words) > 1 and words[-1].casefold() in names(part) else 0.0


def named_number(name: str) -> float:
    """Return how surely a name means a number."""
    return max(named(name, "number"), named(name, "weak_number") / 2)


def is_code(value: str) -> bool:
    """Return whether a value may be the number of a provision."""
    short = len(value) <= _LONGEST_NUMBER and len(value.split()) <= _WORDS_OF_NUMBER
    return short and _CODE.fullmatch(value) is not None


def natural(value: str) -> tuple[tuple[int, str], ...]:
    """Return what sorts numbers as people count: 2 before 10."""
    parts = _PARTS.findall(value)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def number_score(values: Sequence[str], within: Sequence[str] = ()) -> float:
    """Return how much values look like numbers, 0 to 1: codes, each once, mostly rising.

    Args:
        values: "" where there is none.
        within: what each is unique in, such as its document; empty: all are in one.
    """
    places = within or [""] * len(values)
    filled = [(place, value) for place, value in zip(places, values, strict=True) if value]
    if not filled:
        return 0.0
    codes = sum(is_code(value) for _, value in filled) / len(filled)
    unique = len(set(filled)) / len(filled)
    rising = [natural(one[1]) <= natural(other[1]) for one, other in pairwise(filled)]
    return codes * unique * (0.9 + 0.1 * sum(rising) / max(1, len(rising)))


def mean_words(values: Iterable[str]) -> float:
    """Return the mean number of words of the values that there are.

    Two characters of a script without blanks count as a word.
    """
    counts = [
        len(value.split()) + (0 if value.isascii() else len(_UNPARTED.findall(value)) // 2)
        for value in values if value
    ]  # fmt: skip
    return sum(counts) / len(counts) if counts else 0.0


def roles(columns: Mapping[str, Sequence[str]], *, strict: bool = False) -> dict[str, str]:
    """Return which column is what; {} unless one holds numbers and one texts.

    Args:
        columns: name → values, "" where a row has none.
        strict: whether a column of numbers or of texts must be named so, and none as what
            regulations do not have.
    """
    if strict and any(named(name, "other") for name in columns):
        return {}
    found: dict[str, str] = {}
    for ours, part in ((DOCUMENT, "document"), (DOCUMENT_TITLE, "document_title")):
        if name := next((one for one in columns if folded(one) in names(part)), ""):
            found[ours] = name
    free = [name for name in columns if name not in found.values()]
    prose = {name: mean_words(columns[name]) for name in free}
    texts = {name for name in free if named(name, "text") or prose[name] >= PROSE}
    within = columns.get(found.get(DOCUMENT, ""), ())
    scores = {name: number_score(columns[name], within) for name in free}
    numbers = [name for name in free if scores[name] >= (_LIKELY if named_number(name) else _SURE)]
    number = max(numbers, key=lambda name: scores[name] + _NAMED * named_number(name), default="")
    texts.discard(number)
    known = named_number(number) or any(named(name, "text") for name in texts)
    if not number or not texts or (strict and not known):
        return {}
    text = max(texts, key=lambda name: (_tagless(columns[name]), named(name, "text"), prose[name]))
    found |= {NUMBER: number, TEXT: text}
    if heading := _heading(columns, free, number, text):
        found[HEADING] = heading
    return found


def _tagless(values: Sequence[str]) -> bool:
    return 2 * sum(value.startswith("<") for value in values) < len(values)


def _heading(
    columns: Mapping[str, Sequence[str]], free: Sequence[str], number: str, text: str
) -> str:
    """Return the column of headings: named so, or short and unique beside number or text."""
    best, most = "", 0.0
    for at, name in enumerate(free):
        filled = [value for value in columns[name] if value]
        if name in {number, text} or not filled:
            continue
        unique = len(set(filled)) / len(filled)
        beside = {number, text} & {*free[max(at - 1, 0) : at + 2]}
        short = 2 * mean_words(filled) < mean_words(columns[text])
        plain = len(filled) >= _FEWEST and short and beside and not any(map(is_code, filled))
        known = named(name, "heading")
        if 2 * unique > 1 and (known or (plain and unique > _SURE)):
            score = known + unique if mean_words(filled) <= _HEADING_WORDS else 0.0
            best, most = (name, score) if score > most else (best, most)
    return best


_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T+Z ].*)?")
_OPEN_ENDED = ("9999", "2999")
"""Years of the last day of acts whose end nobody knows."""


def day_of(value: str) -> str | None:
    """Return the ISO form of a day or moment, "" for an open end; None for another value."""
    day = _DAY.fullmatch(value)
    return day and ("" if day[1] in _OPEN_ENDED else "-".join(day.groups()))


def dated(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the dates and the version that names and values say of a document, the first ones."""
    found: dict[str, str] = {}
    for name, value in pairs:
        plain = folded(name)
        if (day := day_of(value)) is not None:
            field = next((key for key, known in names("dates").items() if plain in known), "")
            if field and day:
                found.setdefault(field, day)
        elif plain == "version" and len(value) <= _LONGEST_NUMBER:
            found.setdefault(plain, value)
    return found
