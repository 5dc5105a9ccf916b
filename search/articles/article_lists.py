"""Lists of article numbers in a text: "Articles 28(1)(g), 52(1)(d) and 63(c)", "Art. 411-428"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search.provisions.act_mentions import ActMention
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.ranges import members
from search.provisions.grammar.references import LISTED, RANGE, Reference, assemble, runs
from search.provisions.grammar.words import read_words


@dataclass(frozen=True, slots=True)
class NamedList:
    """Article numbers that are together."""

    start: int
    end: int
    articles: tuple[str, ...]
    """In small letters, each once; members of ranges written out."""


_NO_DOCUMENTS = DocumentNames([])
_SHORT_NAMES = frozenset({"CRR", "CRD", "CRD IV", "LCR DA"})
_BEHIND_NAME = re.compile(r"\s?[.:]?\s?")
_SHORT_FORM = re.compile(r"(?=\s?[(.]|[a-z]?\)|\s?(?:and|or|,|;|\?|$|\.))")
"""What follows the number in "CRR 266(1)", but not in "CRR 2014 rules" and "CRR 90 * 2"."""
_MEASURE = re.compile(
    r"\s?(?:%|per ?cent|(?:[\w-]+\s)?(?:days?|months?|years?|times|banks?|exposures?|examples?"
    r"|cases?|questions?|options?|institutions?|templates?)\b|(?:EUR|Mio|million|billion|bn)\b)"
    r"|[.,]\d{2}",
    re.IGNORECASE,
)


def article_lists(text: str, mentions: Sequence[ActMention]) -> Iterator[NamedList]:
    """Yield the lists of articles in a tidy text, in its order; lists do not overlap."""
    short = [one.end for one in mentions if text[one.start : one.end].upper() in _SHORT_NAMES]
    for run in runs(text, list(read_words(text, _NO_DOCUMENTS))):
        found: NamedList | None = None
        last = Reference()
        for one in assemble(text, run).references:
            if found and _goes_on(text, last, one):
                found = _longer(text, found, last, one)
            else:
                if found:
                    yield found
                begins = _begins(text, one) or _is_short(text, one, short)
                found = NamedList(one.start, one.end, (_article(one),)) if begins else None
            last = one
        if found:
            yield found


def _begins(text: str, one: Reference) -> bool:
    """Return whether a reference has the word for an article, or a number as only articles have."""
    if one.unit != "article" or not one.number[0][:1].isdigit():
        return False
    return text[one.start].isalpha() or len(one.number[0]) > 1 or one.inner > 0


def _is_short(text: str, one: Reference, short: Sequence[int]) -> bool:
    """Distinguish "CRR 266(1)", which names an article, from "CRR 2014 rules"."""
    behind = any(end <= one.start and _BEHIND_NAME.fullmatch(text, end, one.start) for end in short)
    if not one.number or one.unit or not behind:
        return False
    whole = len(one.number) > 1 or _SHORT_FORM.match(text, one.end)
    return bool(whole) and not _MEASURE.match(text, one.end)


def _goes_on(text: str, last: Reference, one: Reference) -> bool:
    """Return whether a number behind an article is one more article.

    "Articles 48(1)(a) and 2(a)" names one article: a small number behind a large one does not.
    """
    if not one.number or one.unit not in {"", "article"} or text[one.start].isalpha():
        return False
    in_range = RANGE.fullmatch(text, last.end, one.start)
    if not (in_range or LISTED.fullmatch(text, last.end, one.start)):
        return False
    if one.core < 1 or _MEASURE.match(text, one.end):
        return one.core < 1
    large = len(one.number[0]) > 1 or len(last.number[0]) < 2
    return large or in_range is not None


def _longer(text: str, found: NamedList, last: Reference, one: Reference) -> NamedList:
    number, before = _article(one), _article(last)
    between = members(before, number) if RANGE.fullmatch(text, last.end, one.start) else ()
    return NamedList(
        found.start, one.end, tuple(dict.fromkeys((*found.articles, *between, number)))
    )


def _article(one: Reference) -> str:
    """Return the number in small letters; "428(j)(2)" is 428j, for points have no paragraphs."""
    match one.number:
        case (number, letter, paragraph, *_) if letter.isalpha() and paragraph.isdigit():
            return number + letter
    return one.number[0]
