"""Lists of article numbers in a text: "Articles 28(1)(g), 52(1)(d) and 63(c)", "Art. 411-428"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search.articles.act_mentions import ActMention

LONGEST_RANGE = 20
"""Members of a range that are named one by one: "Articles 411 to 428" has 18. Of a longer one,
which stands for a part of the act, only the ends are."""


@dataclass(frozen=True, slots=True)
class NamedList:
    """Article numbers that stand together."""

    start: int
    end: int
    articles: tuple[str, ...]
    """In small letters, each once; members of ranges written out."""


_WORD = re.compile(
    r"(?<![\w])(?:articles?|artices?|arti?cl?es?|atricles?|articel|artikeln?|articol[oi]|artículos?"
    r"|artigos?|arts?|artt)\b\.?\s*(?:(?:no|nr|n)\b\.?\s*)?(?=\d)|(?<![\w])Art(?=\d)",
    re.IGNORECASE,
)
_NUMBER = r"(?P<number>[1-9]\d{0,2})(?P<letters>[a-z]{1,2}(?![\w])|[A-Z](?![\w]))?(?![\d]|\s?%)"
_LETTER_IN_BRACKETS = r"(?:\((?P<bracketed>[a-z])\)(?=\(\d))?"
_ARTICLE = re.compile(_NUMBER + _LETTER_IN_BRACKETS)
_BRACKET = (
    r"\s?[(\[]\s?(?:\d{1,3}[a-z]?|[a-z]{1,3}|[ivx]{1,5}|[A-Z])"
    r"(?:\s?(?:[-–,&/]|to|and|or)\s?\(?(?:\d{1,3}|[a-z]{1,3})\)?)*\s?[)\]]"
)
_UNIT = (
    r"(?:sub-?paragraphs?|paragraphs?|paras?|§+|points?|letters?|lett|lit|let|indents?|sentences?"
    r"|parts?|no|nos|number|sub|subparas?|absatz|abs|buchstaben?|nummer|nr|satz|comma|paragrafo"
    r"|lettera|punto|paragraphe|points|alinéa|unterabsatz|ziffer|subsections?|sections?|items?)"
)
_INNER = rf"(?:\(?(?:\d{{1,2}}|[a-z]{{1,2}}|[ivx]{{1,5}})\)?(?![\w])(?:{_BRACKET})*)"
_SUB = re.compile(
    rf"""(?:{_BRACKET}
      |[a-z](?=[)\s,.;/])\)?
      |\.\s?\(?(?:\d{{1,2}}|[a-z])\)?(?![\w])(?!\s*%)
      |/\s?\(\w{{1,2}}\)
      |,?\s*\(?(?:first|second|third|fourth|last|1st|2nd|3rd)\s{_UNIT}
      |,?\s*\(?{_UNIT}\.?\s?{_INNER}\)?(?:(?:\s?(?:,|-|–|to|and|or|und|oder|e)\s?){_INNER})*
      |\s?(?:,|and|or|to|und|oder|-|–|/|&)\s?(?:{_BRACKET})+
    )*""",
    re.VERBOSE | re.IGNORECASE,
)
_JOIN = re.compile(
    r"\s*(?P<range>to|[-–]|bis|through|until|till)\s*(?=\d)"
    r"|\s*(?:,\s*(?:and|or|und|oder|et|e)|,|;|and|or|und|oder|et|e|ed|/|&|\+|as well as|and/or)\s*"
    r"(?=\d)",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\s?(?:%|per ?cent|(?:[\w-]+\s)?(?:days?|months?|years?|times|banks?|exposures?|examples?"
    r"|cases?|questions?|options?|institutions?|templates?)\b|(?:EUR|Mio|million|billion|bn)\b)"
    r"|[.,]\d{2}|\)",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\s?\(\d")
_AFTER_SHORT = re.compile(r"\s?[.:]?\s?(?=[1-9]\d{1,2}(?!\d))")
_SHORT_FORM = re.compile(r"(?=\s?[(.]|[a-z]?\)|\s?(?:and|or|,|;|\?|$|\.))")
_YEAR_OR_ROW = re.compile(r"\s?(?:bn|m\b|EUR|[=*+<>€$])")


def article_lists(text: str, mentions: Sequence[ActMention]) -> Iterator[NamedList]:
    """Yield the lists of articles in a text, in its order; lists do not overlap."""
    place = 0
    for start, number_at, plural in _beginnings(text, mentions):
        if start >= place and (found := _list(text, start, number_at, plural)):
            place = found.end
            yield found


def _beginnings(text: str, mentions: Sequence[ActMention]) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, place of the first number, whether "Articles" was written)."""
    found = [(m.start(), m.end(), _is_plural(m.group())) for m in _WORD.finditer(text)]
    for mention in mentions:
        gap = _AFTER_SHORT.match(text, mention.end)
        short = text[mention.start : mention.end].upper() in ("CRR", "CRD", "CRD IV", "LCR DA")
        if short and gap and _is_short_form(text, gap.end()):
            found.append((gap.end(), gap.end(), False))
    yield from sorted(found)


def _is_short_form(text: str, place: int) -> bool:
    """Tell "CRR 266(1)" from "CRR 2014 rules" and "CRR 90 * 2"."""
    number = _ARTICLE.match(text, place)
    if number is None or _MEASURE.match(text, number.end()):
        return False
    after = text[number.end() :]
    return bool(_SHORT_FORM.match(after)) and not _YEAR_OR_ROW.match(after)


def _is_plural(word: str) -> bool:
    return word.lower().rstrip(". ") in {
        "articles", "arts", "artikeln", "articoli", "artt", "artículos", "artigos",
    }  # fmt: skip


def _list(text: str, start: int, place: int, plural: bool) -> NamedList | None:
    first = _ARTICLE.match(text, place)
    if first is None:
        return None
    numbers = [_spelt(first)]
    end = _after_sub(text, first.end())
    while joined := _JOIN.match(text, end):
        found = _ARTICLE.match(text, joined.end())
        if found is None or not _goes_on(
            text, found, plural, bool(joined["range"]), len(numbers[-1]) < 2
        ):
            break
        if joined["range"]:
            numbers += _between(numbers[-1], _spelt(found))
        numbers.append(_spelt(found))
        end = _after_sub(text, found.end())
    return NamedList(start, end, tuple(dict.fromkeys(numbers)))


def _goes_on(
    text: str, found: re.Match[str], plural: bool, in_range: bool, after_short: bool
) -> bool:
    """Tell whether a number behind an article is one more article.

    "Articles 48(1)(a) and 2(a)" names one article: a small number behind a large one does not.
    """
    if _MEASURE.match(text, found.end()):
        return False
    if len(found["number"]) > 1 or in_range:
        return True
    return plural and (after_short or bool(_PARAGRAPH.match(text, found.end())))


def _after_sub(text: str, place: int) -> int:
    found = _SUB.match(text, place)
    end = found.end() if found else place
    return len(text[:end].rstrip()) if end > place else end


def _spelt(found: re.Match[str]) -> str:
    """Return the number in small letters; "428(j)(2)" is 428j, for points have no paragraphs."""
    return found["number"] + (found["letters"] or found["bracketed"] or "").lower()


def _between(low: str, high: str) -> list[str]:
    """Return the articles between the ends of a range, as far as numbers alone tell them."""
    if low.isdigit() and high.isdigit():
        if 0 < int(high) - int(low) < LONGEST_RANGE:
            return [str(number) for number in range(int(low) + 1, int(high))]
    elif low[:-1] == high[:-1] and low[-1].isalpha() and low[-1] < high[-1]:
        return [low[:-1] + chr(letter) for letter in range(ord(low[-1]) + 1, ord(high[-1]))]
    return []
