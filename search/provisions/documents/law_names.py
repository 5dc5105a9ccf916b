"""Names of laws in a text, whether or not any document bears them: `Companies Act 2006`, `HGB`.

A name is what ends or begins with a word for a kind of law, has the title number of a code before
it (`18 USC`), or is an abbreviation with the number of a decree (`D.Lgs. 58/1998`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from search.language import vocabulary
from search.provisions import numbered_titles
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
_SHORTENED = r"(?:(?:[A-Z]\.){2,}|[A-Z][a-z]{1,4}\.)"
_FILED = r"[A-Z]{2,8}(?:-[A-Z]{2,8}){0,2}-\d{1,4}[A-Z]?"
_MORE = rf"(?:,?\s(?:&\s)?(?:{_SHORTENED}|[A-Z][a-z]+))"
_BESIDE = re.compile(
    rf"(?<![\w.-])(?:{_SHORTENED}{_MORE}*|{_FILED})(?=,?\s{_UNIT}\.?\s?\d)"
    rf"|(?:(?<=[\d)]\s)|(?<=[\d)],\s))(?:{_OF}\s(?:the\s)?(?:{_SHORTENED}{_MORE}+|{_FILED})"
    rf"|(?:[A-Z]\.){{2,}}{_MORE}*|{_FILED})(?![\w-])"
)
"""`Cal. Civ. Code`, `O.C.G.A.` and the reference by which a firm files a policy, `CR-03`, directly
beside a number."""
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
    yield _BESIDE, True
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
            if start is not None and (
                pattern in (_ONE_WORD, _ALONE, _BESIDE) or " " in text[start:end]
            ):
                yield LawName(start, end, full)


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
