"""Read one number of a provision with its brackets and the levels behind it: `5 Abs. 2 Satz 1`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from search.language import vocabulary
from search.provisions.grammar.gaps import tokens
from search.provisions.numbering import segments
from search.provisions.roman import roman_value

_AND, _TO = (vocabulary.alternatives(vocabulary.link_words(role)) for role in ("and", "to"))

LINKS = frozenset(
    word for role in ("and", "to") for word in vocabulary.languages()["en"].links[role]
)

LATIN = rf"(?:[ -]?(?:{'|'.join(vocabulary.LATIN_SUFFIXES)})(?!\s\d))"
"""But "§§ 3 bis 5" is a German range."""
_ENDS = r"(?:(?=ff\b)|(?!\w))"
_CODE = (
    r"(?P<french>[LRDA](?P<stop>\.?)\s?\d{1,4}(?:-\d{1,3}){1,4}(?![\w-]))"  # L. 511-1
    r"|\d{1,2}:\d{1,3}[a-z]{0,2}(?![\w:]|\.\d)"  # 3:15 of Dutch codes, behind the book
    r"|(?:\d{1,4}(?:-\d{1,4}){2,3}|\d-\d{3,4}|\d\d-\d{4}"
    + "".join(rf"|\d{{1,3}}{last}-[1-{last}]" for last in range(1, 10))
    + r"|(?<![a-z]s\s)(?<!§§\s)(?<!§§)(?:\d\d-(?:\d|\d{3})|\d{3,4}-\d{1,3}))(?![\w-]|\.\d)"
)
"""Numbers of one piece. Those with a hyphen are no range by their length: § 34-1507, Article 22-2,
§ 10-1-393; but "sections 112-15" are those up to 115, and "sections 12-102" two ends."""
_DOTTED = (
    rf"[A-UW-Za-uw-z]?(?!0)\d{{1,3}}[A-Za-z]?(?:\.(?!0)\d{{1,3}}(?:[A-Z][REG]|[A-Za-z])?{_ENDS}){{1,6}}"
    r"(?:\.(?:[a-z]|[ivx]{2,4})(?![\w.]))?"
    r"|(?!0)\d{1,3}[A-Z]?(?:\.(?:[a-z]|[ivx]{2,4})(?![\w.])){1,2}"
    r"|[A-Z](?:\.\d{1,3}(?!\w)){1,3}"
)
_INTEGER = (
    rf"(?!(?:19|20)\d\d/\d)\d{{1,5}}(?:{LATIN}|[A-Z]{{1,2}}|[a-z]|[ac][a-z]|b[a-moqr-z])?"
    r"(?:(?=ff\b)|(?![\w%]|[.,]\d|/\d{4}(?!\d)))"
)
_FORM = re.compile(
    rf"(?P<code>{_CODE})|(?P<spaced>\d{{1,3}}(?:(?:\s\.\s?|\.\s)\d{{1,3}}){{2,}})"
    rf"|(?P<dotted>{_DOTTED})(?P<letter>\s(?:[REG](?![\w'’-])|[b-hj-z](?!\w)|[ai](?=\s*[?.]?\s*$)))?"
    rf"|(?P<integer>{_INTEGER})"
)
_WITHIN = r"\d{1,4}[A-Za-z]{1,2}\d{0,2}(?:-\d{1,4}[A-Za-z]{0,2}){1,2}(?!\w|\.\d)"
_AMERICAN = re.compile(
    r"(?P<state>(?<!-)\d{1,3}\.\d{1,2}-\d{3,4}(?:\.\d{1,2})?(?![\w-]|\.\d))"
    rf"|(?P<part>\d{{1,5}}\.{_WITHIN})"
    r"|(?P<signed>\d{1,5}\.\d{1,4}(?:(?:-\d{1,4}[A-Za-z]{0,2}){1,2}(?!\w|\.\d)|(?!\w|\.\d)))"
    rf"|(?P<within>{_WITHIN})(?P<listed>(?=(?:,|,?\s(?:{_AND}|{_TO}))\s{_WITHIN}))?"
)
"""Numbers of American codes: section 59.1-580 of a state, § 240.10b-5 of the federal regulations,
and Rule 10b-5 without its part. A hyphen between plain numbers is that of a range, but for
§ 240.0-1; and so may that of "sections 5a-7" be, but for "sections 5a-7 and 5a-8"."""
_RULES = {
    plural: frozenset(vocabulary.spellings(["rule", "section"], "en", short=False, plural=plural))
    for plural in (False, True)
}
_FOLLOWING = re.compile(r"\s?ff\b\.?")
_LETTER_APART = re.compile(
    r"-([A-Z])(?!\w)|\s([A-Z])(?=$|[^\w\s.]|\s[A-Z(])|\s([a-z])(?=[?.!,]?\s*$|\s?\(|\s(?:Abs|Satz|Nr)\b)"
)
"""`section 5 A RKA`, `section 5-A` and `§ 5 a Abs. 1`; but `section 5 A firm must`."""
_BRACKET = re.compile(
    r"\s?\.?\s?\((?P<one>\d{1,3}[A-Za-z]{0,2}|[ivxlc]{1,6}|[a-z]{1,2}|[A-Z])"
    rf"(?:\s?(?:[–—-]|{_TO}(?!\w))\s?(?P<last>\w{{1,3}}))?\)"
)
MOST_BRACKETS = 8
"""Brackets behind a number: nobody nests as many."""
_PIECES = re.compile(r"[a-z0-9]+")
_SUFFIX = re.compile(r"\.\d+[A-Z]?([REG]|(?<=\d)[a-z])$")
_COUNTED_IN_ROMAN = ("§", "art")
"""Words before a number whose paragraphs Germans count in Roman numerals."""

_THE, _OF = vocabulary.any_of("levels.the"), vocabulary.any_of("levels.of")
_ORDINAL = (
    rf"(?:{vocabulary.alternatives(vocabulary.ordinals())}|{vocabulary.any_of('levels.last')}"
    r"|\d(?:st|nd|rd|th))"
)
_TEXT, _PARAGRAPH = (
    vocabulary.pattern(vocabulary.units_of("text")),
    vocabulary.pattern(["paragraph"]),
)


def _foreign(units: Collection[str]) -> tuple[str, ...]:
    words = {
        word
        for code in vocabulary.languages()
        if code != "en"
        for word in vocabulary.spellings(units, code)
    }
    words -= set(vocabulary.spellings(units, "en")) - {"lit"}
    return vocabulary.longest_first(words | {"lit", "nr"})


_INNER = vocabulary.alternatives(_foreign(vocabulary.units_of("inner")))
_LEVEL = re.compile(
    rf"""
    ,?\s(?:
      \(?(?P<counted>{_ORDINAL})\s{vocabulary.pattern(["paragraph"], "nl")}(?!\w)
    | (?P<text>\(?(?:(?:{_THE})\s)?
        (?:{_ORDINAL}\s(?:{_TEXT}|{_PARAGRAPH})|{_TEXT}\s(?:\d{{1,2}}|{_ORDINAL})
        (?:(?:,|\s(?:{_AND}|{_TO}))\s\d{{1,3}}(?!\w|[(.]\w))*|(?-i:S\.\s?\d{{1,2}}))(?![\w(])\)?)
    | {_INNER}(?:\.\s?|\s|(?=[\d(]))
        \(?(?P<value>\d{{1,3}}[a-z]{{0,2}}|[ivx]{{1,5}}|[a-z]{{1,2}}|(?-i:[A-Z]))(?!\w|/\d{{4}})\)?
    )""",
    re.VERBOSE | re.IGNORECASE,
)
"""A level in words. A subparagraph, sentence or indent is a piece of text that no passage has for
itself; in Dutch a counted paragraph is a numbered one: `tweede lid` is lid 2."""
_MORE = re.compile(
    rf"(?:,|\s(?:{_AND}|{_TO}))\s(?P<item>{_INNER}\.?\s(?P<worded>\d{{1,2}}[a-z]?)(?![\w(]|\.\w)"
    rf"|(?P<bare>\d{{1,2}}[a-z]?)(?!\w|\.\w|\(|\s(?!(?:{_AND}|{_TO})\s)[^\W\d_]))",
    re.IGNORECASE,
)
_POINT = re.compile(
    rf"(?:,? {vocabulary.pattern(['point', 'subparagraph'], 'en')}"
    rf"|(?P<apart>,)? {vocabulary.pattern(['paragraph', 'subsection', 'item'], 'en')})"
    rf" (?=\(\w{{1,4}}\)(?>(?:(?:,|,? (?:{_AND}|{_TO}))? ?\(\w{{1,4}}\))*)(?! (?:of|in)\b)"
    r"(?(apart)(?:[^\w\s(]|$)))"
)
_POINT_NUMBER = re.compile(
    rf"(?P<apart>,)? {vocabulary.pattern(['paragraph', 'subsection'], 'en', plural=False)}"
    r" (?P<number>\d{1,2}[a-z]?)(?![\w.(]| (?:of|in)\b)(?(apart)(?=[^\w\s]|$))",
    re.IGNORECASE,
)
_RULE_WORDS = frozenset(vocabulary.spellings(vocabulary.units_of("rule"), "en", plural=False))
_ROMAN = re.compile(
    r"\s(?P<roman>[IVX]{1,4})(?:\s\d{1,2}(?!\w))?(?:,?\s(?P<point>[a-z])(?!\w))?"
    r"(?=[.,;:?!)]|\s*$|\s(?:(?:Nr|lit|Satz|S)\b|[A-ZÄÖÜ]\w*[A-Z]))"
)
"""As German lawyers count paragraphs: `§ 26 I BDSG`, `Art. 6 I f DSGVO`, `§ 6 I 2 Nr. 3 GwG`."""
TEXT_BEFORE = re.compile(
    rf"(?:(?:{_THE})\s)?{_ORDINAL}\s{_TEXT},?\s{_OF}\s(?:(?:{_THE})\s|l')?(?=\w)", re.IGNORECASE
)
"""`The first subparagraph of`, which says nothing of where a point is."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with what is below it."""

    end: int
    segments: tuple[str, ...]
    core: int
    suffix: str = ""
    more: tuple[tuple[int, int, str], ...] = ()
    """Start, end and value of further members of its last level: 5 and 6 of `129b(4), (5)`."""


def number_at(text: str, at: int, word: str = "") -> Number | None:
    """Return the number that begins at a place of a text; None: there is none.

    Args:
        text: whose white space is single blanks.
        at: where it may begin.
        word: that is before it, in lower case, if it means a unit.
    """
    found = _FORM.match(text, at)
    if found is None or (found["french"] and not (word or found["stop"])):
        return None
    end, written = found.end(), found[0]
    apart = (found["letter"] or "").strip()
    if found["dotted"]:
        written = found["dotted"] + (apart if apart.isupper() else f".{apart}" if apart else "")
    elif word and found["integer"] and (letter := _letter_behind(text, end, word)):
        end, written = letter.end(), written + letter[letter.lastindex or 0]
    whole = found["code"] or (found["integer"] and not written.isalnum())
    core = segments(written)[:1] if whole else tuple(_PIECES.findall(written.lower()))
    suffix = _SUFFIX.search(written)
    if following := _FOLLOWING.match(text, end):
        end = following.end()
    number = below(text, end, core, word)
    return replace(number, suffix=suffix[1]) if suffix else number


def american_number_at(text: str, at: int, word: str = "") -> Number | None:
    """Return the number of an American code that begins at a place; the arguments as above."""
    found = _AMERICAN.match(text, at)
    if found is None:
        return None
    single, many = word in _RULES[False], word in _RULES[True] and found["listed"] is not None
    before = tokens(text[max(0, at - 12) : at].lower())[-1:]
    listed = not word and not {",", *LINKS}.isdisjoint(before)
    if (found["signed"] and not word.startswith("§")) or (
        found["within"] and not (single or many or listed)
    ):
        return None
    core = tuple(re.findall(r"\d[a-z0-9-]*", found[0].lower()))
    inner, more, end = brackets(text, found.end())
    return Number(end, (*core, *inner), len(core), more=tuple(more))


def below(text: str, at: int, core: tuple[str, ...] = (), word: str = "") -> Number:
    """Return a number with the brackets and levels that are at a place behind its core."""
    inner, more, end = brackets(text, at)
    if not inner and (roman := _roman_behind(text, end, word)):
        inner = [str(roman_value(roman["roman"].lower())), *filter(None, [roman["point"]])]
        end = roman.end()
    found, is_text, is_worded = [*core, *inner], False, False
    while core and not more and text[end : end + 1] in {" ", ","}:
        if point := _POINT.match(text, end):
            inner, more, end = brackets(text, point.end())
            found += inner
        elif word in _RULE_WORDS and (numbered := _POINT_NUMBER.match(text, end)):
            found.append(numbered["number"].lower())
            end = numbered.end()
        elif (level := _LEVEL.match(text, end)) and not (is_text and text[end] == ","):
            end, is_text = level.end(), level["text"] is not None
            if value := level["value"] or level["counted"]:
                found.append(vocabulary.ordinals().get(value.lower(), value.lower()))
            is_worded = is_worded or level["value"] is not None
        else:
            break
    place = end
    while is_worded and (member := _MORE.match(text, place)):
        value = member["worded"] or member["bare"]
        more.append((*member.span("item"), value.lower()))
        piece = _LEVEL.match(text, member.end())
        place = piece.end() if piece and piece["text"] else member.end()
    letters = (place for place, one in enumerate(core) if place and one.isalpha())
    return Number(end, tuple(found), next(letters, len(core)), more=tuple(more))


def _letter_behind(text: str, end: int, word: str) -> re.Match[str] | None:
    return None if _roman_behind(text, end, word) else _LETTER_APART.match(text, end)


def _roman_behind(text: str, end: int, word: str) -> re.Match[str] | None:
    return _ROMAN.match(text, end) if word.startswith(_COUNTED_IN_ROMAN) else None


def brackets(text: str, at: int) -> tuple[list[str], list[tuple[int, int, str]], int]:
    """Return the brackets at a place, the end of a range that the last one is, and their end."""
    found: list[str] = []
    while len(found) < MOST_BRACKETS and (one := _BRACKET.match(text, at)):
        found.append(one["one"].lower())
        at = one.end()
        if one["last"]:
            return found, [(one.start("last"), at, one["last"].lower())], one.end("one")
    return found, [], at
