"""Names of documents in a text, whether or not any document bears them: `Companies Act 2006`.

The words of a text are sorted once: capitals, codes, kinds of document, figures, links. A name is a
run of them that a kind ends or begins, or that has a code or a citation of a series in it: `HGB`,
`17 C.F.R.`, `R.S.C. 1985, c. E-4`, `Data Breach Policy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from search.language import vocabulary
from search.provisions.documents.titles import KINDS, normalised
from search.provisions.jurisdictions import names_place
from search.provisions.roman import roman_value
from search.text.analyzer import FUNCTION_WORDS

_LANGUAGES = vocabulary.languages()
_LAST = frozenset(
    kind for one in _LANGUAGES.values() for kind in (one.acts_last if one.acts_first else one.acts)
)
_FIRST = vocabulary.longest_first(
    kind for one in _LANGUAGES.values() if one.acts_first for kind in one.acts
)
_JOINED = tuple(
    f"{end}{ending}"
    for one in _LANGUAGES.values()
    for end in one.acts_joined
    for ending in ("", "s", "es", "en")
)
_LINKS = frozenset(
    word
    for one in _LANGUAGES.values()
    for role in ("and", "of")
    for phrase in one.links[role]
    for word in phrase.split()
) | {"&", *vocabulary.words("law_names.links")}  # fmt: skip
_OF = frozenset(_LANGUAGES["en"].links["of"])
_NUMBERS = frozenset(vocabulary.words("law_names.numbers"))
_SERIES, _COUNTED, _COUNTING, _UNDATED, _ALONE, _SMALL, _SMALL_ALONE = (
    frozenset(vocabulary.words(f"law_names.{key}", "en"))
    for key in ("series", "counted", "counting", "undated", "alone", "small", "small_alone")
)
_NO_CODES = frozenset(map(str.upper, FUNCTION_WORDS)).union(
    vocabulary.words("money.codes", vocabulary.COMMON)
)
_ASKING = FUNCTION_WORDS.union(
    vocabulary.words("law_names.asking", "en"),
    vocabulary.spellings(["article", "section", "rule", "paragraph"], "en", plural=False),
)
"""Words before a name that are not part of it."""
SHORTEST_JOINED = 8
"""Letters of a single word that ends as laws do: `Postgesetz` is one, `Gesetz` is none."""
MOST_LINKS, MOST_SMALL, MOST_WORDS = 3, 5, 12
"""Links between two words of a name; words before a kind without capitals; words of a name."""

Sort = Literal[
    "word", "code", "short", "kind", "joined", "roman", "figure", "unit", "link", "other"
]
_TOKEN = re.compile(
    r"(?P<short>(?:[A-Z][a-z]{0,4}\.\s?)+(?=[\s\d§,)]|$)|(?:[A-Z][a-z]{0,4}\.){2,}[A-Z]?(?!\w))"
    r"|(?P<code>(?:[A-Z]{2,8}|[A-Z](?=-))(?:-[A-Z]{1,8}){0,2}-?\d[\w-]*)|(?P<figure>[A-Z]?\d\w*(?:[./:–-]\w+)*|\(\d{1,3}\)(?=\sof\s))"
    r"|(?P<word>[^\W\d_]+(?:['’&/-][^\W\d_]+)*)|(?P<unit>§+)|(?P<link>&)"
)
_NAMING = frozenset({"word", "code", "short", "kind", "joined"})
_SHAPES: dict[str, Sort] = {"code": "code", "figure": "figure", "unit": "unit", "link": "link"}
"""Groups of the expression whose shape says what they are."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_BRACKETS = re.compile(r"\s\([A-Z0-9][^()]{0,40}\)")
_UNIT = vocabulary.pattern(vocabulary.units_of("attachment", "rule", "aside", "inner"))
_OF_WORDS = vocabulary.alternatives(_OF)
_ANY_UNIT = vocabulary.pattern(vocabulary.units().keys())
RULE_BEHIND = re.compile(rf"[,:]?\s\(?(?:{_ANY_UNIT}\s?\d|[A-Z]?\d+\.\d)", re.IGNORECASE)
NUMBER_BEFORE = re.compile(rf"(?:\d[a-z]?|\)),?\s(?:{_OF_WORDS}\s)?(?:the\s)?$")
"""What is beside the name of a document whose rule is meant."""
_FIRST_NAMED = re.compile(
    rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, _FIRST))})(?![\w-])"
    r"(?:(?:[\s'’]|(?<=[°.o]))(?:n[°.o]{1,2}(?=\s?\d)"
    rf"|(?!(?i:{_UNIT})\s?(?:[LRDA]\.?\s?)?\d)"
    rf"(?:(?:{'|'.join(map(re.escape, sorted(_LINKS)))})(?![\w.])|[ld](?=['’])"
    r"|\d{1,5}(?:[/-]\d{1,4})+|(?:19|20)\d\d(?!\d)|\d{1,2}(?:er)?(?=\s[a-zà-ÿ]{3,10}\s\d{4})"
    r"|[^\W\d_][\w-]{2,24}(?![.\w]))),?){0,10}"
)
"""Names in languages that put the kind first, and write the rest in small letters."""


class LawName(NamedTuple):
    """A place of a text where a document is named; in full: unmistakably, by a kind or number."""

    start: int
    end: int
    full: bool


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    sort: Sort


def law_names(text: str, *, in_full: bool = False) -> Iterator[LawName]:
    """Yield the documents that a tidy text names by more than an abbreviation; they may overlap.

    Args:
        text: a question, or a line of a passage.
        in_full: only the names that end with a word for a law, as regulations write them.
    """
    tokens = list(_tokens(text))
    at = 0
    while at < len(tokens):
        end = _end_of(text, tokens, at, in_full)
        if end and (name := _named(text, tokens[at:end], tokens[end:], in_full)):
            yield name
        at = max(end, at + 1)
    if in_full:
        return
    yield from _in_small_letters(text, tokens)
    for found in _FIRST_NAMED.finditer(text):
        said = found[0].rstrip(" ,")
        if " " in said:
            yield LawName(found.start(), found.start() + len(said), True)


def _tokens(text: str) -> Iterator[_Token]:
    found = list(_TOKEN.finditer(text))
    for one, behind in zip_longest(found, found[1:]):
        word = one[0].rstrip()
        sort = _SHAPES.get(one.lastgroup or "") or _sort(word, behind[0] if behind else "")
        yield _Token(one.start(), one.start() + len(word), word, sort)


def _sort(word: str, behind: str) -> Sort:
    bare = word.rstrip(".")
    last = bare.rpartition("-")[2]
    counts = any(map(str.isdigit, behind[:2])) or _is_roman(behind)
    is_law = bare in _LAST or last in _LAST
    if counts and (vocabulary.unit_of(bare) or bare in _COUNTING) and bare not in _SERIES:
        dated = is_law and (_YEAR.fullmatch(behind) or "/" in behind)
        return "kind" if dated and bare not in _UNDATED else "unit"
    if is_law or bare in _LINKS or (bare[0].isupper() and normalised(last) in KINDS):
        return "link" if bare in _LINKS else "kind"
    if _is_roman(bare) and len(bare) > 1:
        return "roman"
    if word != bare and bare.casefold() not in FUNCTION_WORDS:
        return "short"
    return _sort_by_letters(bare)


def _sort_by_letters(word: str) -> Sort:
    if not any(map(str.isupper, word)):
        return "other"
    if sum(map(str.isupper, word)) > 1 and "-" not in word and word not in _NO_CODES:
        return "code"
    is_law = word[0].isupper() and word.endswith(_JOINED) and len(word) >= SHORTEST_JOINED
    return "joined" if is_law else "word" if word[0].isupper() else "other"


def _is_roman(word: str) -> bool:
    return word.isupper() and roman_value(word.lower()) is not None


def _end_of(text: str, tokens: Sequence[_Token], at: int, in_full: bool) -> int:
    """Return where the run of a name ends that begins at a token; 0: none begins there."""
    first = tokens[at]
    if first.sort == "figure":
        if in_full or not _begins_with_title(text, tokens, at):
            return 0
    elif first.sort not in _NAMING or _asks(first.text):
        return 0
    end, links = at + 1, 0
    while end < len(tokens) and end - at < MOST_WORDS and links <= MOST_LINKS:
        token, before = tokens[end], tokens[end - 1 - links]
        gap = text[tokens[end - 1].end : token.start]
        bracket = _BRACKETS.match(text, before.end) if not links else None
        if bracket and before.sort in {"kind", "joined"} | ({"figure"} if not in_full else set()):
            end = next((i for i in range(end, len(tokens)) if tokens[i].start >= bracket.end()),
                       len(tokens))  # fmt: skip
            if end == len(tokens) or text[bracket.end() : tokens[end].start] != " ":
                break
            continue
        if token.sort == "link" and gap == " " and _may_go_on(before, token):
            links += 1
        elif not _continues(text, tokens, at, end, links, gap):
            break
        else:
            links = 0
        end += 1
    return end - links


def _begins_with_title(text: str, tokens: Sequence[_Token], at: int) -> bool:
    """Return whether a figure is the title or volume before a code: `17 C.F.R.`, `740 ILCS`."""
    number, code = tokens[at], tokens[at + 1 : at + 2]
    if not code or not number.text.isdecimal():
        return False
    if code[0].sort not in {"code", "short"} and code[0].text not in _SERIES:
        return False
    before = tokens[at - 1] if at else None
    led = before is None or (
        before.sort in {"other", "link", "word"}
        and not any(one.sort in {"figure", "unit"} for one in tokens[max(0, at - 2) : at])
    )
    if before and before.sort == "link" and any(one.sort == "unit" for one in tokens[:at]):
        # "Artikel 262 und 264 CRR" is a list; "section 5 and 17 CFR 240.10b-5" goes on behind it.
        led = led and any(one.sort in {"figure", "unit"} for one in tokens[at + 2 : at + 3])
    adjacent = text[number.end : code[0].start] in {"", " "}
    return led and adjacent and (code[0].text in _SERIES or len(number.text) <= len("740"))


def _may_go_on(before: _Token, link: _Token) -> bool:
    """Return whether a link is inside a name: behind its kind or a code, only `of` is."""
    if before.sort in {"code", "short", "joined", "figure", "roman"}:
        return before.sort == "figure" and link.text == "of"
    return before.sort != "kind" or link.text in {"of", "on"}


def _continues(
    text: str, tokens: Sequence[_Token], at: int, end: int, links: int, gap: str
) -> bool:
    token, before = tokens[end], tokens[end - 1 - links]
    if token.text in _SERIES and tokens[at].sort == "figure":
        return end == at + 1
    bare = token.text.rstrip(".")
    if gap == ". " and before.text in _SERIES:
        return token.sort in {"figure", "code", "word"}
    if token.sort == "figure":
        return _is_own_figure(text, tokens, at, end, gap)
    if gap == ", ":  # the `c. E-4` of `R.S.C. 1985, c. E-4`
        cited = any(one.sort in {"short", "figure"} for one in tokens[at:end])
        return cited and end + 1 < len(tokens) if bare in _SERIES else token.sort == "short"
    follows = before.sort != "figure" or end - 1 == at or links > 0
    if bare in _NUMBERS:
        follows = any(one.sort in {"kind", "code", "short"} for one in tokens[at:end])
    counted = before.sort in {"word", "code"} and before.text not in _COUNTED
    named = token.sort in _NAMING or (token.sort == "roman" and counted)
    return gap in {" ", ""} and follows and named


def _is_own_figure(text: str, tokens: Sequence[_Token], at: int, end: int, gap: str) -> bool:
    """Return whether a figure is of the name, and not the number of a rule in that document."""
    token, before = tokens[end], tokens[end - 1]
    if before.text.rstrip(".") in _NUMBERS | _SERIES or before.text == "of":
        return gap in {" ", "", ". "}
    sorts = {one.sort for one in tokens[at:end]}
    if sorts.isdisjoint({"kind", "code", "short", "joined", "roman"}) or before.sort == "figure":
        return False
    if _YEAR.fullmatch(token.text):
        return gap in {" ", ", "}
    if gap != " " or tokens[at].sort == "figure":
        return False
    return "/" in token.text or _parts_from_rule(text, tokens, at, end)


def _parts_from_rule(text: str, tokens: Sequence[_Token], at: int, end: int) -> bool:
    """Return whether a rule is named beside a figure: behind it with its word, or before the name.

    `MAS Notice 626, paragraph 6.3`, `section 26 of Cap. 486`, `Companies Act 71 of 2008`.
    """
    behind = tokens[end + 1 : end + 3]
    if not behind or behind[0].sort not in {"unit", "link"}:
        led = text[: tokens[at].start].rstrip().endswith(tuple(_OF))
        return led and any(one.sort == "unit" for one in tokens[:at])
    if behind[0].sort == "link":
        return _YEAR.fullmatch(behind[-1].text) is not None
    return behind[0].sort == "unit" and "(" not in text[tokens[end].end : behind[0].start]


def _named(
    text: str, run: Sequence[_Token], behind: Sequence[_Token], in_full: bool
) -> LawName | None:
    own = list(run)
    while own and (_asks(own[0].text) or own[0].sort == "link"):
        del own[0]
    if in_full:
        kinds = [place for place, one in enumerate(own) if one.text.rstrip(".") in _LAST]
        tail = own[kinds[-1] + 1 :] if kinds else []
        if any(one.sort not in {"link", "short", "figure"} and one.text.rstrip(".") not in _NUMBERS
               for one in tail):  # fmt: skip
            tail = []
        own = [*own[: kinds[-1] + 1], *tail] if kinds else []
    if not own:
        return None
    start, end = own[0].start, own[-1].end
    closing = _BRACKETS.match(text, end) if own[-1].sort in {"kind", "joined", "figure"} else None
    end = closing.end() if closing else end
    end += text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end)
    sorts = {one.sort for one in own}
    is_law = "joined" in sorts or (
        len(own) > 1 and any(one.text.rstrip(".").rpartition("-")[2] in _LAST for one in own)
    )
    if is_law or in_full:
        return LawName(start, end, True) if is_law else None
    series = any(one.text.rstrip(".") in _SERIES for one in own)
    numbered = "figure" in sorts and (series or not sorts.isdisjoint({"code", "short", "kind"}))
    filed = any(one.sort == "code" and _FILED.fullmatch(one.text) for one in own)
    if filed and ("kind" in sorts or (behind and normalised(behind[0].text) in KINDS)):
        return LawName(start, end, True)  # "Policy HR-07", "the HR-07 policy"
    cut = text[end - 1] == "." and text[end + 1 : end + 2].isupper()  # "We are a Bank. Section 5"
    if numbered or ((filed or "short" in sorts) and not cut and beside_number(text, start, end)):
        return LawName(start, end, own[0].text not in _NO_CODES)
    alone = own[0].text in _ALONE and len(own) == 1 and behind and behind[0].sort == "unit"
    titled = "kind" in sorts and len(own) > 1 and own[0].sort != "kind"
    return LawName(start, end, False) if alone or titled or "roman" in sorts else None


_FILED = re.compile(r"[A-Z]+-.*\d.*")  # as a firm files a policy: `CR-03`


def beside_number(text: str, start: int, end: int) -> bool:
    """Return whether a number with its word is behind a name, or a number before it."""
    return bool(RULE_BEHIND.match(text, end) or NUMBER_BEFORE.search(text[:start][-40:]))


def _asks(word: str) -> bool:
    return word.casefold() in _ASKING or names_place(word.rstrip("."))


def _in_small_letters(text: str, tokens: Sequence[_Token]) -> Iterator[LawName]:
    """Yield names typed without capitals: a year or the number of a rule is beside their kind."""
    for at, one in enumerate(tokens):
        behind = tokens[at + 1 : at + 3]
        if one.text not in _SMALL or not behind:
            continue
        year = next((t for t in behind if _YEAR.fullmatch(t.text)), None)
        if year and (year is behind[0] or behind[0].text == "of"):
            end = year.end
        elif one.text in _SMALL_ALONE and behind[0].sort == "unit":
            end = one.end
        else:
            continue
        first = at
        while first and at - first < MOST_SMALL and _is_small(text, tokens, first):
            first -= 1
        while first < at and _asks(tokens[first].text):
            first += 1
        if first < at:
            yield LawName(tokens[first].start, end, True)


def _is_small(text: str, tokens: Sequence[_Token], at: int) -> bool:
    before = tokens[at - 1]
    return before.text.islower() and text[before.end : tokens[at].start] == " "
