"""The articles that a text names, with the act they belong to: "Article 129b(4-6) of CRR".

What a person writes about an act names whole lists ("Articles 28(1)(g), 52 and 63(c)"), ranges
("Articles 411 to 428"), forms such as "CRR 266(3)" and "Art. 425.2", and the act before, behind or
long ago. A rulebook's own passages are read by `search.provisions.links.find`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from search.articles.article_lists import NamedList, article_lists
from search.provisions import vocabulary
from search.provisions.act_mentions import OTHER, ActMention, act_mentions
from search.provisions.grammar.words import tidy


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


_PIECE = vocabulary.pattern(vocabulary.units_of("text") | {"paragraph", "part", "point"}, "en")
_OF = re.compile(
    rf"""[\s)”"'’]*(?:,?\s*\(?(?:also|first|second|third|last|1st|2nd|thereof|and|read|together|with
        |{_PIECE})\b[\s\d().a-z]{{0,12}}){{0,4}}
        [,:]?\s*(?:of|in|under|from|within|to|set|laid|out|down|della?|del|d[eu]s?|der|von|im|in
        |la|le|the|il|l['’]|EU(?=\s(?:CRR|Reg)))?(?:\s+(?:of|in|the|la|le|out|down|EU))*
        [\s(,\-–:“"]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""What may be between an article and the act that it is of."""

_BEFORE = re.compile(r"""[\s,:;\-–()“”"'.]{0,4}(?:\(?(?:CRR|CRD(?:\sIV)?|the)\)?)?
    (?:of\s\d{1,2}\s\w+\s\d{4}\s*)?(?:,?\s*(?:in\s(?:its|particular)|its|i\.e\.))?
    [\s,:;\-–()“”"']*""", re.VERBOSE | re.IGNORECASE)  # fmt: skip
"""What may be between an act and the article of it that follows."""

_AND = re.compile(r"[\s,;)]*+(?:and|or|und|oder|et|e|as well as|to|,|/|&|\+)?[\s(]*", re.IGNORECASE)
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
    for mention in mentions:
        if found.end <= mention.start < limit:
            return mention if _reaches(text, found.end, mention.start) else None
    return None


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
