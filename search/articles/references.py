"""The articles that a text names, with the act they belong to: "Article 129b(4-6) of CRR".

What a person writes about an act names whole lists ("Articles 28(1)(g), 52 and 63(c)"), ranges
("Articles 411 to 428"), forms such as "CRR 266(3)" and "Art. 425.2", and the act before, behind or
long ago. A rulebook's own passages are read by `search.provisions.links.find`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from search.language import vocabulary
from search.provisions.act_mentions import OTHER, ActMention, act_mentions
from search.provisions.act_numbers import NAMES
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.gaps import continues, is_range
from search.provisions.grammar.ranges import members
from search.provisions.grammar.references import Reference, assemble, runs
from search.provisions.grammar.words import read_words, tidy


class NamedList(NamedTuple):
    """Article numbers that are together."""

    start: int
    end: int
    articles: tuple[str, ...]
    """In small letters, each once; members of ranges written out."""


_NO_DOCUMENTS = DocumentNames([])
_SHORT = vocabulary.alternatives(NAMES["words"]["before_numbers"])
_BEHIND_NAME = re.compile(r"\s?[.:]?\s?")
_SHORT_FORM = re.compile(r"(?=\s?[(.]|[a-z]?\)|\s?(?:and|or|,|;|\?|$|\.))")
"""What follows the number in "CRR 266(1)", but not in "CRR 2014 rules" and "CRR 90 * 2"."""
_COUNTED, _SHARE, _MONEY, _SIZE = map(
    vocabulary.any_of, ("articles.counted", "measures.share", "money.codes", "measures.size")
)
_MEASURE = re.compile(
    rf"\s?(?:{_SHARE}|(?:[\w-]+\s)?{_COUNTED}s?\b|(?:{_MONEY}|{_SIZE})\b)|[.,]\d{{2}}",
    re.IGNORECASE,
)


def article_lists(text: str, mentions: Sequence[ActMention]) -> Iterator[NamedList]:
    """Yield the lists of articles in a tidy text, in its order; lists do not overlap."""
    short = [one.end for one in mentions if re.fullmatch(_SHORT, text[one.start : one.end].upper())]
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
    if not one.number or one.unit or not behind or _MEASURE.match(text, one.end):
        return False
    return len(one.number) > 1 or _SHORT_FORM.match(text, one.end) is not None


def _goes_on(text: str, last: Reference, one: Reference) -> bool:
    """Return whether a number behind an article is one more article.

    "Articles 48(1)(a) and 2(a)" names one article: a small number behind a large one does not.
    """
    if not one.number or one.unit not in {"", "article"} or text[one.start].isalpha():
        return False
    gap = text[last.end : one.start]
    if not continues(gap):
        return False
    if one.core < 1 or _MEASURE.match(text, one.end):
        return one.core < 1
    return is_range(gap) or len(one.number[0]) > 1 or len(last.number[0]) < 2


def _longer(text: str, found: NamedList, last: Reference, one: Reference) -> NamedList:
    number, before = _article(one), _article(last)
    between = members(before, number) if is_range(text[last.end : one.start]) else ()
    return NamedList(
        found.start, one.end, tuple(dict.fromkeys((*found.articles, *between, number)))
    )


def _article(one: Reference) -> str:
    """Return the number in small letters; "428(j)(2)" is 428j, for points have no paragraphs."""
    match one.number:
        case (number, letter, paragraph, *_) if letter.isalpha() and paragraph.isdigit():
            return number + letter
    return one.number[0]


@dataclass(frozen=True, slots=True)
class ArticleReference:
    """One place where a text names articles of one act."""

    text: str
    """The words, from the first to the last number."""
    start: int
    end: int
    act: str
    """Number of the act such as `575/2013`; `OTHER` where it has a name but no known number."""
    articles: tuple[str, ...]
    """Their numbers in small letters, such as `129b`, each once, in the order of the text."""


_UNITS = vocabulary.pattern(vocabulary.units_of("text") | {"paragraph", "part", "point"}, "en")
_PIECES, _LINK = map(vocabulary.any_of, ("articles.pieces", "articles.links"))
_OF = re.compile(
    rf"""[\s)”"'’]*(?:,?\s*\(?(?:{_PIECES}|{_UNITS})\b[\s\d().a-z]{{0,12}}){{0,4}}
        [,:]?\s*{_LINK}?(?:\s+{_LINK})*[\s(,\-–:“"]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""What may be between an article and the act that it is of."""

_BEFORE = re.compile(rf"""[\s,:;\-–()“”"'.]{{0,4}}(?:\(?(?:the|{_SHORT})\)?)?
    (?:of\s\d{{1,2}}\s\w+\s\d{{4}}\s*)?(?:,?\s*(?:in\s(?:its|particular)|its|i\.e\.))?
    [\s,:;\-–()“”"']*""", re.VERBOSE | re.IGNORECASE)  # fmt: skip
"""What may be between an act and the article of it that follows."""

_ANDS = vocabulary.alternatives((*vocabulary.link_words("and"), "to"))
_AND = re.compile(rf"(?>[\s,;)]*)(?:{_ANDS}|/|&|\+)?[\s(]*", re.I)
_FAR = 60
"""An act further from an article than these characters is not beside it."""


def article_references(text: str, act: str) -> tuple[ArticleReference, ...]:
    """Return the articles that a text names, in its order.

    Args:
        text: a question, its background, or an answer.
        act: number of the act that an article belongs to where nothing else is said.
    """
    text = tidy(text)
    mentions = act_mentions(text)
    lists = [found for found in article_lists(text, mentions) if found.articles]
    acts = _acts_beside(text, lists, mentions, act)
    numbered = {
        number: named
        for found, named in zip(lists, acts, strict=True)
        for number in found.articles
        if named is not None
    }
    about = {number for found, named in zip(lists, acts, strict=True) if named == act
             for number in found.articles}  # fmt: skip
    return tuple(
        ArticleReference(text[found.start : found.end], found.start, found.end, named, part)
        for found, beside in zip(lists, acts, strict=True)
        for named, part in _by_act(found, beside, numbered, about, act)
    )


def _by_act(
    found: NamedList, beside: str | None, numbered: dict[str, str], about: set[str], act: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Part a list without an act: an article has the act that it has elsewhere in the text."""
    if beside is not None:
        yield beside, found.articles
        return
    parts: dict[str, list[str]] = {}
    for number in found.articles:
        named = act if number in about else numbered.get(number, act)
        parts.setdefault(named, []).append(number)
    for named, numbers in parts.items():
        yield named, tuple(numbers)


def _acts_beside(
    text: str, lists: Sequence[NamedList], mentions: Sequence[ActMention], act: str
) -> list[str | None]:
    """Return for each list the act that comes after or before it, None where none does."""
    acts: list[str | None] = []
    for place, found in enumerate(lists):
        limit = lists[place + 1].start if place + 1 < len(lists) else len(text)
        behind = _behind(text, found, mentions, limit)
        mention = behind or _before(text, found, lists[:place], mentions)
        acts.append(None if mention is None else _resolved(mention, mentions, act))
    for place in range(len(lists) - 2, -1, -1):  # "Article 81 and Article 82 of the CRD"
        gap = text[lists[place].end : lists[place + 1].start]
        if acts[place] is None and _AND.fullmatch(gap) and "." not in gap:
            acts[place] = acts[place + 1]
    return acts


def _behind(
    text: str, found: NamedList, mentions: Sequence[ActMention], limit: int
) -> ActMention | None:
    after = next((one for one in mentions if found.end <= one.start < limit), None)
    return after if after and _reaches(text, found.end, after.start) else None


def _before(
    text: str, found: NamedList, earlier: Sequence[NamedList], mentions: Sequence[ActMention]
) -> ActMention | None:
    near = [one for one in mentions if one.end <= found.start]
    if not near or found.start - near[-1].end > _FAR or near[-1].which != "named":
        return None
    taken = earlier and _reaches(text, earlier[-1].end, max(near[-1].start, earlier[-1].end))
    gap = text[near[-1].end : found.start]
    if taken and not earlier[-1].start > near[-1].end and gap.strip(" "):
        return None  # "Article 36 of the CRR, Article 18": the act belongs to the first
    return near[-1] if _BEFORE.fullmatch(gap) and "?" not in gap and "\n" not in gap else None


def _reaches(text: str, end: int, start: int) -> bool:
    """Return whether an article that ends here is of the act that starts there, close behind it."""
    return start - end < _FAR and _OF.fullmatch(text, end, start) is not None


def _resolved(mention: ActMention, mentions: Sequence[ActMention], act: str) -> str:
    if mention.which == "named":
        return mention.act
    if mention.which == "this":
        return act
    named = [one.act for one in mentions if one.end <= mention.start and one.which == "named"]
    if mention.which == "that":
        return named[-1] if named else act
    others = [one for one in named if one not in (act, OTHER)]
    return others[-1] if others else OTHER


def with_articles(
    references: Sequence[ArticleReference], known: Container[str]
) -> tuple[ArticleReference, ...]:
    """Keep the articles that an act has; "Article 31a" is of another one where it has none."""
    kept = []
    for reference in references:
        articles = tuple(number for number in reference.articles if number in known)
        if articles:
            kept.append(replace(reference, articles=articles))
    return tuple(kept)
