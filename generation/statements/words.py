"""The words of a text as the verifier compares them, with numbers and dates in one form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from search.language import vocabulary
from search.text.characters import compatible, normal_form
from search.text.plain_words import SIGNS

_MARKS = {
    **dict.fromkeys(map(ord, '“”„‟«»"‘’‚‛`´′″'), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    ord("|"): " ",
}
"""Quotation marks, dashes and bars between the cells of a table, with what replaces them."""
_BEHIND_DIGIT = re.compile(rf"(?<=\d)(?=[{SIGNS}])")
"""`10²` is not 102, and `2½` not 21."""


def folded(text: str) -> str:
    """Return a text in lower case with white space, quotation marks and dashes made alike.

    Characters are in their normal form, signs such as fractions are written out, and invisible
    characters and marks of bold type go.
    """
    text = compatible(normal_form(_BEHIND_DIGIT.sub(" ", text.replace("**", ""))))
    return " ".join(text.translate(_MARKS).casefold().split())


WordKind = Literal["word", "number", "date", "mark"]
"""A mark is the `(a)` of a list; behind a number it is a part of that number."""

_MONTHS = vocabulary.months("en")
_MONTH = "(?:" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r"|sept)\.?"
_ENDING = r"(?:st|nd|rd|th)"
BARE_MAY = r"may(?= (?:each|every|of|in)\b|[;:)]|\.?\s*$)"
"""The month behind a day and without a year; "section 5 may be waived" has the verb."""
_SIGN = r"\((?:[a-z]{1,2}|[ivxl]{1,5}|\d{1,3}[a-z]?)\)"
_TOKEN = re.compile(
    rf"(?P<dmy>\b(?P<d1>\d{{1,2}}){_ENDING}? (?:of )?(?P<m1>{_MONTH}),? (?P<y1>\d{{4}})\b)"
    rf"|(?P<mdy>\b(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}}){_ENDING}?,? (?P<y2>\d{{4}})\b)"
    r"|(?P<iso>\b(?P<y3>\d{4})-(?P<m3>\d{2})-(?P<d3>\d{2})\b)"
    rf"|(?P<day>\b(?P<d4>\d{{1,2}}){_ENDING}? (?:of )?(?P<m4>{BARE_MAY}|(?!may){_MONTH})(?![\w.]))"
    rf"|(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)*)(?P<ending>{_ENDING}\b)?"
    rf"(?P<letter>[a-z]\b)?(?P<signs>(?:\.?{_SIGN})*)"
    rf"|(?P<mark>{_SIGN})"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<percent>%)|(?P<currency>[$€£])"
)
_SMALL = {
    word: int(value)
    for code in ("de", "es", "fr", "en")  # in Italian, *due* is two
    for word, value in vocabulary.number_words(code).items()
    if code == "en" or (value != "1" and word not in vocabulary.months())  # *un* is an article
} | {word: 10 * value for value, word in enumerate(vocabulary.words("tens.words", "en"), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_LARGEST_SCALED = 10**12
"""A number from here on is not multiplied any more; no sum in a rule is as large."""
_AMOUNT = re.compile(r"\d{1,12}(?:\.\d{1,12})?")
"""What is multiplied by "million" behind it."""
_ORDINALS = {word: f"{value}." for word, value in vocabulary.ordinals("en").items()}
_KINDS_OF_DAYS = {"business": "business", "working": "business", "calendar": "calendar"}
_CONTRACTED = {"won": "will", "shan": "shall", "can": "can", "ca": "can"}

WEAK_NUMBERS = frozenset({"one", *_ORDINALS})
"""Words that are numbers only where a number is in the same place of the other text: "one of
them", "the second"."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, number or date."""

    form: str
    """What is compared."""
    kind: WordKind
    shown: str
    """As the text has it, lower case."""

    @property
    def is_number(self) -> bool:
        """Whether it is a number, a rule number or a date."""
        return self.kind in ("number", "date")

    @property
    def value(self) -> str | None:
        """What it counts as where a number is expected; None if it is none."""
        if self.is_number:
            return self.form
        if self.form in WEAK_NUMBERS:
            return "1" if self.form == "one" else _ORDINALS[self.form]
        return None


def words_of(text: str) -> list[Word]:
    """Return the words of a folded text, in order."""
    return _with_kinds_of_days(_with_written_numbers(list(_read(text))))


def _read(text: str) -> Iterator[Word]:
    for found in _TOKEN.finditer(text):
        if found["dmy"] or found["mdy"] or found["iso"] or found["day"]:
            yield Word(_date(found), "date", found[0])
        elif found["number"]:
            yield Word(_number(found), "number", found[0])
        elif found["mark"]:
            yield Word(found["mark"], "mark", found[0])
        elif found["percent"]:
            yield from (Word("per", "word", "%"), Word("cent", "word", ""))
        elif found["currency"]:
            code = {"$": "usd", "€": "eur", "£": "gbp"}[found["currency"]]
            yield Word(code, "word", found["currency"])
        else:
            yield from _word(found["word"])


def _word(word: str) -> Iterator[Word]:
    if word == "percent":
        yield from (Word("per", "word", word), Word("cent", "word", ""))
    elif word == "cannot":
        yield from (Word("can", "word", word), Word("not", "word", word))
    elif word.endswith("n't"):
        stem = word[:-3]
        yield Word(_CONTRACTED.get(stem, stem), "word", word)
        yield Word("not", "word", word)
    else:
        yield Word(word.removesuffix("'s"), "word", word)


def _date(found: re.Match[str]) -> str:
    if found["iso"]:
        return found["iso"]
    way = "1" if found["dmy"] else "2" if found["mdy"] else "4"
    day, month = found[f"d{way}"], found[f"m{way}"]
    year = "" if found["day"] else found[f"y{way}"]  # "31 May", of any year
    number = next(n for name, n in _MONTHS.items() if name.startswith(month[:3]))
    return f"{year}-{number:02}-{int(day):02}"


def _number(found: re.Match[str]) -> str:
    number = found["number"].replace(",", "")
    if found["ending"]:
        return f"{number}."
    signs = found["signs"].replace(".", "")
    return f"{number}{found['letter'] or ''}{signs}"


def _with_written_numbers(words: list[Word]) -> list[Word]:
    made: list[Word] = []
    place = 0
    while place < len(words):
        end, value = _written_number(words, place)
        if end == place:
            made.append(words[place])
            place += 1
            continue
        shown = " ".join(word.shown for word in words[place:end])
        made.append(Word(value, "number", shown))
        place = end
    return made


def _with_kinds_of_days(words: list[Word]) -> list[Word]:
    made: list[Word] = []
    for word in words:
        if made and word.form in ("day", "days") and made[-1].form in _KINDS_OF_DAYS:
            before = made.pop()
            form = f"{_KINDS_OF_DAYS[before.form]} day"
            made.append(Word(form, "word", f"{before.shown} {word.shown}"))
        else:
            made.append(word)
    return made


def _written_number(words: list[Word], place: int) -> tuple[int, str]:
    """Return where a number written in words ends, and its value; the place itself if none."""
    first = words[place]
    if first.kind == "number":
        if place + 1 < len(words) and words[place + 1].form in _SCALES and _is_amount(first.form):
            value = float(first.form) * _SCALES[words[place + 1].form]
            return place + 2, f"{value:.10g}" if value != int(value) else str(int(value))
        return place, ""
    total = current = 0
    end = place
    while end < len(words) and words[end].kind == "word":
        form = words[end].form
        if form in _SMALL:
            if current % 100 and not (current % 100 >= 20 and _SMALL[form] < 10):
                break  # "two, three": two numbers
            current += _SMALL[form]
        elif form in _SCALES and end > place and current < _LARGEST_SCALED:
            current = max(1, current) * _SCALES[form]
            if _SCALES[form] >= 1000:
                total, current = total + current, 0
        else:
            break
        end += 1
    # "one" alone is a pronoun as often as a number.
    if end == place or (end == place + 1 and first.form == "one"):
        return place, ""
    return end, str(total + current)


def _is_amount(form: str) -> bool:
    return bool(_AMOUNT.fullmatch(form))
