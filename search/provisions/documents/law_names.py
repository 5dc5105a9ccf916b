"""Names of laws in a text, whether or not any document bears them: `Companies Act 2006`, `HGB`.

A name is what ends or begins with a word for a kind of law, has the title number of a code before
it (`18 USC`), or is an abbreviation with the number of a decree (`D.Lgs. 58/1998`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from search.language import vocabulary
from search.provisions import numbered_titles
from search.provisions.documents.described import ANY_YEAR
from search.provisions.documents.titles import KINDS, normalised
from search.text.characters import LETTERS
from search.text.stop_words import FUNCTION_WORDS

_LANGUAGES = vocabulary.languages()
_LAST = sorted(
    {
        kind
        for one in _LANGUAGES.values()
        for kind in (one.acts_last if one.acts_first else one.acts)
    },
    key=len,
)[::-1]
_FIRST = sorted(
    {kind for one in _LANGUAGES.values() if one.acts_first for kind in one.acts}, key=len
)[::-1]
_JOINED = sorted({end for one in _LANGUAGES.values() for end in one.acts_joined}, key=len)[::-1]
_LINK_WORDS = {
    word
    for one in _LANGUAGES.values()
    for role in ("and", "of")
    for phrase in one.links[role]
    for word in phrase.split()
} | {"&", *vocabulary.words("law_names.links")}
_OF = vocabulary.alternatives(_LANGUAGES["en"].links["of"])
_LINKS = "|".join(map(re.escape, sorted(_LINK_WORDS, key=len, reverse=True)))
_UNIT = vocabulary.pattern(vocabulary.units_of("attachment", "rule", "aside", "inner"))
_YEAR = r"(?:,?\s(?:of\s)?(?:19|20)\d\d(?![\d/]|\.\d))"
_TAIL = (
    rf"(?:\s(?:No\.?\s?)?\(?\d{{1,3}}\)?(?=\sof\s))?{_YEAR}?"
    r"(?:\s\((?:[A-Z][\w.&-]*|Cap\.?\s?\d{1,4}[A-Z]?|No\.?\s?\d{1,3}|\d{1,3}\sof\s\d{4})"
    rf"(?:\s[A-Z][\w.]*)*\))*{_YEAR}?"
    r"(?:,?\s(?:(?:[RS]\.?\s?)?S\.?\s?[A-Z]?\.?(?:\s?\d{4})?,?\s)?"
    r"(?:c|ch|Cap|cap)\.?\s[A-Z0-9][\w-]*(?=[\s,]))?"
)
_WORD = r"(?:[A-Z][\w&'’-]*|\([A-Z][\w\s&'’-]{2,40}\))"
_INSIDE = frozenset(vocabulary.words("law_names.links")) | {
    "&",
    _LANGUAGES["en"].links["and"][0],
    *_LANGUAGES["en"].links["of"][:1],
}
"""Words inside the name of a document."""
_NAMED_LAST = re.compile(
    rf"(?<![\w'’.-])(?:{_WORD},?\s(?:(?:{_LINKS})\s){{0,3}}){{1,9}}"
    rf"(?:{'|'.join(map(re.escape, _LAST))})\b{_TAIL}"
)
_NAMED_FIRST = re.compile(
    rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, _FIRST))})(?![\w-])"
    r"(?:(?:[\s'’]|(?<=[°.o]))(?:n[°.o]{1,2}(?=\s?\d)"
    rf"|(?!(?i:{_UNIT})\s?(?:[LRDA]\.?\s?)?\d)(?:(?:{_LINKS})(?![\w.])|[ld](?=['’])"
    r"|\d{1,5}(?:[/-]\d{1,4})+|(?:19|20)\d\d(?!\d)|\d{1,2}(?:er)?(?=\s[a-zà-ÿ]{3,10}\s\d{4})"
    r"|[^\W\d_][\w-]{2,24}(?![.\w]))),?){0,10}"
)
_ONE_WORD = re.compile(
    rf"(?<![\w-])[A-ZÄÖÜ][a-zäöüß]+(?:{'|'.join(_JOINED)})(?:e?s|en)?(?!\w)(?:\s\([A-Z]\w{{1,9}}\))?"
    rf"{_YEAR}?"
)
_DECREE = re.compile(
    r"(?<![\w.])(?:D\.?\s?Lgs|D\.?\s?P\.?\s?R|D\.?\s?M|D\.?\s?L|R\.?\s?D|L|RDL?|LO)\.?\s"
    r"(?:n\.\s?)?\d{1,4}/\d{2,4}(?![\w/])"
)
_SMALL_KINDS = frozenset(vocabulary.words("law_names.small", "en"))
_SMALL = re.compile(
    r"(?<![\w'’-])(?:[a-z][a-z'’-]*\s){1,5}?"
    rf"(?:(?:{'|'.join(sorted(_SMALL_KINDS, reverse=True))})\s(?:of\s)?(?:19|20)\d\d(?!\d)"
    rf"|{vocabulary.any_of('law_names.small_alone', 'en')}"
    rf"(?=,?\s{vocabulary.pattern(['article', 'section'], 'en')}\s?\d))"
)
"""People type names without capitals; then a year or the word for a number must be beside it."""
_GROUPS = vocabulary.spellings(
    vocabulary.units_of("attachment", "division") | {"section"}, "en", plural=False
)
_SECOND = re.compile(
    rf"(?<![\w-])(?!{vocabulary.printed(_GROUPS)}\b)(?!{vocabulary.any_of('law_names.counted')}\b)"
    r"[A-Z][a-z]{3,20}\s(?:I{2,3}|IV|VI{0,3})(?![\w-])"
)
"""`Solvency II`."""
_DATED_CODE = re.compile(
    rf"(?<![\w-])(?!{vocabulary.any_of('money.codes', vocabulary.COMMON)}\b)"
    r"[A-Z](?=[a-z]*[A-Z])[A-Za-z]{1,7}\s(?:19|20)\d\d(?![\w/.,-]*\d)"
)
"""`FSMA 2000`; but no amount of money."""
_NAMED_ALONE = frozenset(vocabulary.words("law_names.alone", "en"))
_ALONE = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(_NAMED_ALONE))})(?=,?\s(?i:{_UNIT})\.?\s\d)")
_ASKING = FUNCTION_WORDS.union(
    vocabulary.words("law_names.asking", "en"),
    vocabulary.spellings(["article", "section", "rule", "paragraph"], "en", plural=False),
)
"""Words before a name that are not part of it."""


TITLE_UNITS = frozenset({"regulation", "rule"})
"""Rule words that end titles, where a year follows them."""
_ANY = re.compile(r"\S+")
_AROUND = "(),\"'“”‘’«»„;:?!"
_NUMBERED = re.compile(
    rf"(?<![\w.])(?i:{_UNIT})\.?\s?(?=[A-Z(]?\.?\d)|(?<![^\s(])(?=\d+(?:\.\d+)+)"
)
"""Where a number begins, with the word for its unit."""
_COUNTING = {
    *vocabulary.ordinals("en"),
    *map(str.lower, vocabulary.words("money.codes", vocabulary.COMMON)),
}
"""Words that count or pay, and name nothing."""
_LISTED = re.compile(rf"[(\d].*|&|{vocabulary.alternatives(_LANGUAGES['en'].links['and'])}")
_TO = vocabulary.alternatives(_LANGUAGES["en"].links["to"])
_OF_NAME = re.compile(
    rf",?\s(?!{_TO}\b)(?:{'|'.join(vocabulary.link_words('of'))})\s"
    rf"(?:(?P<owned>{vocabulary.any_of('asked.own', 'en')})\s|the\s)?"
)
_LONGEST_OWN = 5
"""Words of a name without capitals behind `our`."""
_LONGEST_SHORT = 6
"""Characters of a shortened word, such as `Sched.`, with its full stop."""

_NUMERAL = re.compile(r"(?:[IVXL]+|[A-H]|\d+[a-z]?),?")


class LawName(NamedTuple):
    """A place of a text where a law is named."""

    start: int
    end: int
    full: bool
    """Whether the name is unmistakable: it has a word for a kind of law, or a number."""


_YEAR_ALONE = re.compile(r"\s(?:19|20)\d\d(?!\d)")
_KINDS = frozenset(_LAST)
_FIRST_WORDS = frozenset(word.split()[0].split("-")[0] for word in _FIRST)


def _patterns(text: str, in_full: bool) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Yield the patterns whose words a text has, with whether what they find is a full name."""
    words = set(LETTERS.findall(text))
    if not words.isdisjoint(_KINDS):
        yield _NAMED_LAST, True
    if in_full:
        return
    if not words.isdisjoint(_FIRST_WORDS):
        yield _NAMED_FIRST, True
    if not words.isdisjoint(_SMALL_KINDS):
        yield _SMALL, True
    yield _ONE_WORD, True
    if _YEAR_ALONE.search(text):
        yield _DATED_CODE, True
    if not words.isdisjoint(_NAMED_ALONE):
        yield _ALONE, False
    if any(word.isdecimal() or "/" in word for word in text.split()):
        yield numbered_titles.TITLE, True
        yield _DECREE, True
    if "-" in text or "–" in text:
        yield numbered_titles.PUBLIC_LAW, True
    if "II" in text or "V" in text:
        yield _SECOND, False


def law_names(text: str, *, in_full: bool = False) -> Iterator[LawName]:
    """Yield the laws that a tidy text names by more than an abbreviation; they may overlap.

    Args:
        text: a question, or a line of a passage.
        in_full: only the names that end with a word for a law, as regulations write them.
    """
    for pattern, full in _patterns(text, in_full):
        for found in pattern.finditer(text):
            end = len(found[0].rstrip(" ,")) + found.start()
            start = _without_asking(text, found.start(), end)
            if start is not None and (pattern in (_ONE_WORD, _ALONE) or " " in text[start:end]):
                yield LawName(start, end, full)


def names_beside(text: str) -> Iterator[LawName]:
    """Yield what the numbers of a tidy question are of by the words that touch them, known or not.

    Whoever cites writes capitals, figures and shortened words directly before a number, or behind
    it and "of": `R.S.C. 1985, c. E-4, s. 34.1`, `Cap. 486 section 26`, `Guidance Note 7, paragraph
    12`, `clause 14.2 of the Master Services Agreement`, `section 4.2 of our data breach policy`.
    """
    words = [_Spelt(found.start(), found.end(), found[0]) for found in _ANY.finditer(text)]
    starts = [word.start for word in words]
    behind = 0
    for numbered in _NUMBERED.finditer(text):
        before = bisect_right(starts, numbered.start()) - 1
        unit = vocabulary.unit_of(words[before].bare.rstrip(".").lower())
        if unit in TITLE_UNITS and ANY_YEAR.match(text, numbered.end()):
            continue  # the "Regulations 2015"
        if unit or not (before and vocabulary.unit_of(words[before - 1].bare.lower())):
            yield from _named_by(text, _chain_before(words, before))
        if numbered.end() < behind:
            continue
        last = bisect_right(starts, numbered.end()) - 1
        while last + 1 < len(words) and _LISTED.fullmatch(words[last + 1].bare):
            last += 1
        behind = words[last].end
        if led := _OF_NAME.match(text, behind):
            first = bisect_left(starts, led.end())
            yield from _named_by(text, _chain_behind(words[first:], owned=bool(led["owned"])))


class _Spelt(NamedTuple):
    """A word of a text with what touches it."""

    start: int
    end: int
    text: str

    @property
    def bare(self) -> str:
        return self.text.strip(_AROUND)

    @property
    def is_short(self) -> bool:
        return self.bare.endswith(".") and len(self.bare) <= _LONGEST_SHORT

    @property
    def is_figures(self) -> bool:
        return self.bare[:1].isdecimal()

    @property
    def ends(self) -> bool:
        """Whether a sentence or clause ends with it."""
        return self.text[-1] in ".?!;:" and not self.is_short

    @property
    def names(self) -> bool:
        """Whether it may be a word of a name."""
        folded = self.bare.casefold()
        return (self.bare[:1].isupper() or any(map(str.isdecimal, self.bare))) and not (
            folded in FUNCTION_WORDS or folded in vocabulary.months()
        )


def _chain_before(words: Sequence[_Spelt], end: int) -> Sequence[_Spelt]:
    """Return the words that name what the number behind them is of."""
    at = end
    while at and (at == end or not words[at - 1].ends):
        word, before = words[at - 1], words[max(0, at - 2)]
        if at < end and words[at].is_figures and vocabulary.unit_of(word.bare.lower()):
            break  # "Rules 3.1, 3.2"
        grouped = at > 1 and word.bare[:1].isalnum() and not before.is_figures
        if at == end and grouped and vocabulary.unit_of(before.bare.rstrip(".").lower()):
            at = end = at - 2  # "12 CFR Part 1026, § 1026.18"
        elif word.names or (at < end and (word.is_short or _links(before, word, words[at]))):
            at -= 1
        else:
            break
    return words[at:end]


def _chain_behind(words: Sequence[_Spelt], *, owned: bool) -> Sequence[_Spelt]:
    """Return the first words that name what a number before them is of."""
    last = 0
    for at, word in enumerate(words):
        if word.names or word.is_short:
            last = at + 1
        elif owned and at < _LONGEST_OWN and normalised(word.bare) in KINDS:
            return words[: at + 1]
        elif not (owned and at < _LONGEST_OWN) and word.bare not in _INSIDE:
            break
        if word.ends or word.text.endswith(","):
            break
    return words[:last]


def _links(before: _Spelt, word: _Spelt, after: _Spelt) -> bool:
    """Return whether a word links two words of one name: `Act 4 of 2013`, `Travel and Expenses`."""
    return word.bare in _INSIDE and before.is_figures == after.is_figures


def _named_by(text: str, chain: Sequence[_Spelt]) -> Iterator[LawName]:
    """Yield the name that words are, if they are more than a kind, or one word with a capital."""
    if not chain:
        return
    end = chain[-1].start + len(chain[-1].text.rstrip(_AROUND))
    start = _without_asking(text, chain[0].start, end)
    if start is not None and text.count("(", start, end) > text.count(")", start, end):
        end += text[end : end + 1] == ")"
    said = [one for one in chain if start is not None and one.start >= start]
    figures = any(one.is_figures for one in said)
    words = [one.bare for one in said if not one.is_figures and one.bare not in _INSIDE]
    kinds = [one for one in words if normalised(one) in KINDS]
    telling = [
        one
        for one in words
        if one not in kinds and one.lower() not in _COUNTING and not vocabulary.unit_of(one.lower())
    ]
    coded = any(re.search(r"\.\w|\d", one) for one in telling)
    if start is not None and (
        (figures and (telling or kinds)) or (telling and (len(words) > 1 or coded))
    ):
        yield LawName(start, end, True)


def _without_asking(text: str, start: int, end: int) -> int | None:
    """Return where a name begins behind words that ask or lead; None where nothing is left."""
    words = [(m.start(), m[0]) for m in re.finditer(r"\S+", text[start:end])]
    while words:
        first = words[0][1].strip(",").casefold()
        numbered = len(words) > 1 and _NUMERAL.fullmatch(words[1][1])
        if numbered and vocabulary.unit_of(first):
            del words[:2]  # "Annex III of the AI Act"
        elif first in _ASKING:
            del words[0]
        else:
            break
    return start + words[0][0] if words else None
