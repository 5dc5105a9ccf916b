"""Abbreviations that a text explains: "Suspicious Activity Report (SAR)", "“SAR” means …".

The letters decide, whatever the language: each begins a word of the meaning, or several are in one
long word (GwG: Geldwäschegesetz).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from search.provisions.documents.titles import letters_in
from search.provisions.roman import roman_numeral, roman_value
from search.text.analyzer import FUNCTION_WORDS, tokens
from search.text.characters import without_accents

_SMALL = 4
"""Letters of the longest small word that an abbreviation passes over: of, und, para."""
_LONG = 10
"""Letters of the shortest word that may have several letters of an abbreviation."""
_MORE = 6
"""Words that a meaning may have beyond the letters of its abbreviation."""
_VERBS = 3
"""Small words that may come between an abbreviation and its meaning: "means the"."""
_OF_NUMBER = 4
"""Words at the beginning of a heading that may be its number: Chapter IV, Section 3."""
_FEWEST_INITIALS, _MOST_INITIALS = 3, 8
"""Letters of an abbreviation that is made of initials; two letters are those of many headings."""
_BEFORE = 300
"""Characters before a bracket in which the meaning is looked for."""

_QUOTE = "“”„\"‘’‚'«»‹›*_\u00a0 "
_SHORT = r"(?P<short>[^\W\d_](?:[^\W_]|[&/.-]){0,14}[^\W_])"
_BRACKETS = re.compile(r"\(([^()\n]{2,150})\)")
_LAST = re.compile(rf"(?<![\w-]){_SHORT}[{_QUOTE}]*$")
_FIRST = re.compile(
    rf"^[ \t]*(?:\(?\w{{1,4}}[.)]\s+|[•*-]\s+)?[{_QUOTE}]*{_SHORT}[{_QUOTE}]*"
    r"(?:\s*[(:=–—-]\s*|\s+)(?P<rest>\S[^\n]{3,150})",
    re.MULTILINE,
)
_QUOTED = re.compile(
    rf"(?<!\w)[“„\"«‘'][ \u00a0]?{_SHORT}[ \u00a0]?[”“\"»’'](?:\s*[(:=–—-]\s*|\s+)"
    r"(?P<rest>\S[^\n]{3,150})"
)
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[\n\t;:()]|\.\s")


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """An abbreviation, and what it stands for, as a text writes them."""

    short: str
    meaning: str


def abbreviations_in(text: str) -> tuple[Abbreviation, ...]:
    """Return the abbreviations that a text explains, each once."""
    found: dict[str, Abbreviation] = {}
    # "“SAR” means a suspicious activity report", and lines such as "SAR – Suspicious …".
    forms = (match for form in (_FIRST, _QUOTED) for match in form.finditer(text))
    defined = (one for form in forms for one in _begins_with_meaning(form["short"], form["rest"]))
    for one in (*_in_brackets(text), *defined):
        found.setdefault(short_key(one.short), one)
    return tuple(found.values())


def short_key(short: str) -> str:
    """Return what the forms of an abbreviation have in common: small letters, singular."""
    return _singular(short).casefold()


def meaning_key(meaning: str) -> str:
    """Return what the forms of a meaning have in common: its index terms."""
    return " ".join(tokens(meaning))


def abbreviations_of(heading: str) -> tuple[Abbreviation, ...]:
    """Return what people may call a heading by its initials, with and without its small words.

    DPIA of *Article 35 Data protection impact assessment*: its number is no part of it.
    """
    words = list(_WORD.finditer(heading))
    numbers = [place for place, word in enumerate(words[:_OF_NUMBER]) if _is_number(word[0])]
    words = words[numbers[-1] + 1 if numbers else 0 :]
    telling = [one for one in words if len(one[0]) >= _SMALL and one[0] not in FUNCTION_WORDS]
    found = ("".join(one[0][0] for one in some).upper() for some in (words, telling))
    return tuple(
        Abbreviation(short, heading[words[0].start() :].strip())
        for short in dict.fromkeys(found)
        if _FEWEST_INITIALS <= len(short) <= _MOST_INITIALS
    )


def _is_number(word: str) -> bool:
    value = roman_value(word.lower()) if word.isupper() else None
    return word[0].isdigit() or (value is not None and roman_numeral(value) == word.lower())


def _in_brackets(text: str) -> Iterator[Abbreviation]:
    """Yield "Suspicious Activity Report (SAR)", "(Geldwäschegesetz – GwG)" and "SAR (Suspicious
    Activity Report)".
    """
    for brackets in _BRACKETS.finditer(text):
        inside = brackets[1]
        before = text[max(0, brackets.start() - _BEFORE) : brackets.start()].rstrip(_QUOTE + ")")
        if last := _LAST.search(inside):
            wheres = (inside[: last.start()], before)
            found = (_ends_with_meaning(last["short"], where) for where in wheres)
            yield from islice(filter(None, found), 1)
        if last := _LAST.search(before):
            yield from _begins_with_meaning(last["short"], inside)


def _ends_with_meaning(short: str, text: str) -> Abbreviation | None:
    if not (letters := _letters(short)):
        return None
    words = list(_WORD.finditer(_PART.split(text)[-1]))
    most = min(len(words), len(letters[-1]) + _MORE)
    return _abbreviation(short, letters, [words[-n:] for n in range(1, most + 1)])


def _begins_with_meaning(short: str, text: str) -> Iterator[Abbreviation]:
    if not (letters := _letters(short)):
        return
    words, most = list(_WORD.finditer(_PART.split(text)[0])), len(letters[-1]) + _MORE
    starts = [n for n in range(_VERBS + 1) if all(one[0].islower() for one in words[:n])]
    readings = [words[n : n + m] for n in starts for m in range(1, most)]
    if found := _abbreviation(short, letters, readings):
        yield found


def _abbreviation(
    short: str, letters: Sequence[str], readings: Sequence[Sequence[re.Match[str]]]
) -> Abbreviation | None:
    """Return an abbreviation with the first reading of its meaning that has its letters.

    One that begins with a small word, "the Functioning of …", counts if no other one fits.
    """
    fits = [
        words
        for one in letters
        for words in readings
        if words and _fits(one, [word[0] for word in words])
    ]
    if not fits:
        return None
    best = next((words for words in fits if not _is_small(words[0][0])), fits[0])
    meaning = " ".join(best[0].string[best[0].start() : best[-1].end()].split())
    repeated = letters[-1] in without_accents(meaning).split()
    return None if repeated else Abbreviation(_singular(short), meaning)


def _singular(short: str) -> str:
    plural = len(short) > 2 and short.endswith("s") and short[-2].isupper()
    return short[:-1] if plural else short


def _letters(short: str) -> tuple[str, ...]:
    """Return the letters that a meaning may have: the capitals, or all; empty: it is none."""
    short = _singular(short)
    if sum(map(str.isupper, short)) < 2:
        return ()
    first = "".join(takewhile(str.islower, short))
    capitals = "".join(one for one in short if one.isupper() or one.isdigit())
    every = "".join(one for one in short if one.isalnum())
    return tuple(dict.fromkeys((without_accents(first + capitals), without_accents(every))))


def _fits(letters: str, words: Sequence[str]) -> bool:
    several = len(letters) > len("IT")  # two letters are in nearly every long word
    reached, most = {0}, len(letters) if several else 1
    for place, word in enumerate(words):
        small = _is_small(word) and place + 1 < len(words)
        passed = reached if place and (small or word.isdecimal()) else set()
        shares = ((at, count) for at in reached for count in _shares(word, letters[at : at + most]))
        reached = passed.union(at + count for at, count in shares)
    return len(letters) in reached


def _shares(word: str, letters: str) -> Iterator[int]:
    """Return how many of the next letters a word may have: the first, or more of a long one."""
    bare = without_accents(word)
    long = len(bare) >= _LONG and word[0].isupper()
    return letters_in(bare, letters if long else letters[:1])


def _is_small(word: str) -> bool:
    return word.islower() and len(word) <= _SMALL
