"""An act as its articles: each with all its passages, read from those of an index or of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from search.articles.references import article_references, with_articles
from search.provisions.act_numbers import act_number
from search.provisions.numbering import segments
from search.records import Passage
from search.text.analyzer import tokens

WINDOW_WORDS = 160
"""Words of a window at most, unless one passage alone has more: an article of 7,000 words and one
of 40 are compared by their best window."""


@dataclass(frozen=True)
class Article:
    """One article with everything below it."""

    number: str
    """In small letters, without the word: `129b`."""
    passages: tuple[Passage, ...]
    """In their order, at least one; headings included."""

    @property
    def heading(self) -> str:
        """The first line of its first passage, which is its title where it has one."""
        return self.passages[0].text.split("\n", 1)[0]

    @property
    def divisions(self) -> tuple[str, ...]:
        """Part, title, chapter and section that it is in, outermost first."""
        return self.passages[0].breadcrumb

    @cached_property
    def text(self) -> str:
        """All its passages, a line each."""
        return "\n".join(passage.text for passage in self.passages if passage.text)

    @cached_property
    def written(self) -> tuple[Passage, ...]:
        """Its passages that have text."""
        return tuple(passage for passage in self.passages if passage.text.strip())

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """The index terms of each passage that has text."""
        return tuple(frozenset(tokens(passage.text)) for passage in self.written)

    def windows(self, words: int = WINDOW_WORDS) -> list[str]:
        """Return the text in pieces of whole passages, each with the heading before it."""
        pieces: list[list[str]] = []
        size = words
        for passage in self.passages:
            length = len(passage.text.split())
            if size + length > words or not pieces:
                pieces.append([])
                size = 0
            pieces[-1].append(passage.text)
            size += length
        return [f"{self.heading}. {' '.join(piece)}" for piece in pieces]


@dataclass(frozen=True)
class Act:
    """One version of one act."""

    number: str
    """Such as `575/2013`; empty where the title names none."""
    document_id: str
    title: str
    version: str
    """The date from which this text holds, as the source gives it; empty: unknown."""
    articles: Mapping[str, Article]
    """Number → article, in the act's order."""

    @cached_property
    def places(self) -> dict[str, int]:
        """Number of an article → its 0-based place."""
        return {number: place for place, number in enumerate(self.articles)}

    def article_of(self, passage: Passage) -> Article | None:
        """Return the article that a passage is in; None: in another document, or in none."""
        if passage.document_id != self.document_id:
            return None
        return self.articles.get(_article_number(passage))

    @cached_property
    def links(self) -> dict[str, frozenset[str]]:
        """Number of an article → the other articles of the act that it names."""
        found = {}
        for number, article in self.articles.items():
            references = with_articles(article_references(article.text, self.number), self.places)
            named = {n for one in references if one.act == self.number for n in one.articles}
            found[number] = frozenset(named - {number})
        return found


def act_of(passages: Iterable[Passage]) -> Act:
    """Return the act that the passages of one document make; without articles it is empty."""
    articles: dict[str, list[Passage]] = {}
    title = document_id = version = ""
    for passage in passages:
        title, document_id = passage.document_title, passage.document_id
        version = str(passage.metadata.get("version") or "")
        if number := _article_number(passage):
            articles.setdefault(number, []).append(passage)
    made = {number: Article(number, tuple(found)) for number, found in articles.items()}
    return Act(act_number(title) or "", document_id, title, version, made)


def _article_number(passage: Passage) -> str:
    unit, _, number = next(iter(segments(passage.passage_id)), "").partition(" ")
    return number if unit == "article" and number[:1].isdigit() else ""
