"""The articles that go into the context: named by the asker, named by the model, ranked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generation.llm.protocol import Limits, Message, Prompt, ReplySchema
from generation.llm.schemas import TEXT, one_of, read_json, strict_object
from generation.mode import Request
from generation.multi_step.acts import Acts
from generation.prompts import render
from generation.text.fence import Fence
from generation.text.sanitize import one_line
from search.articles.act import Act, Article
from search.articles.features import AskedQuestion
from search.articles.ranker import SHIPPED, article_finder, load_ranker
from search.articles.references import article_references, with_articles
from search.records import Hit

RANKED = 10
"""Articles that the ranker adds: of the EBA's questions 94 in 100 find theirs among them
(docs/articles.md). As many passages that the search found are read before the rest of these."""

LONGEST_NAME = 80
MOST_UNKNOWN = 10
"""What a model names and the index lacks is told up to so many characters, and so many times."""

LONGEST_LIST = 40
"""Tokens of a reply are kept free for this many references."""
TOKENS_OF_A_REFERENCE = 24

_NOT_A_NUMBER = re.compile(r"^\D+")


def references_schema(
    act: Mapping[str, Any] = TEXT, article: Mapping[str, Any] = TEXT
) -> ReplySchema:
    """Return the shape of the articles that a model names.

    Args:
        act: shape of the name of an act.
        article: of the number of an article.
    """
    reference = strict_object(act=act, articles={"type": "array", "items": article})
    return ReplySchema(
        "references", strict_object(references={"type": "array", "items": reference})
    )


REFERENCES = references_schema()
"""What is read of a reply, whatever names it has."""

MOST_ARTICLES = 100
"""Articles up to which a model is asked for their very numbers: small models name articles that
there are not."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An article of the context."""

    act: Act
    article: Article

    def __str__(self) -> str:
        """Return how the article is cited: `Article 92 of 575/2013`."""
        return f"Article {self.article.number} of {self.act.number or self.act.title}"


def explicit_articles(request: Request, acts: Acts) -> list[Chosen]:
    """Return the articles that question, background and the asker's own field name, in order."""
    field = (
        f"Articles {request.context.article}"
        if request.context.article[:1].isdigit()
        else request.context.article
    )
    texts = (field, request.question, request.context.background)
    return _unique(one for text in texts for one in _named(text, acts))


def references_prompt(request: Request, acts: Acts, limits: Limits, fence: Fence) -> Prompt:
    """Return the prompt that asks for the articles that are meant without being named."""
    texts = request.settings.prompts
    names = [f"- {one_line(f'{act.title} ({act.number})')}" for act in acts.by_number.values()]
    known = fence.material("acts", "\n".join(names))
    system = render("references-system", texts, code=fence.code, acts=known)
    user = render(
        "references-user",
        texts,
        question=fence.question(request.question),
        background=fence.material("background", request.context.background or "none given"),
    )
    reply = min(limits.reply, LONGEST_LIST * TOKENS_OF_A_REFERENCE)
    messages = (Message("system", system), Message("user", user))
    return Prompt(messages, reply, schema=_shape(acts))


def _shape(acts: Acts) -> ReplySchema:
    """Return the shape of a reply that names the acts and articles that there are."""
    numbers = list(dict.fromkeys(n for act in acts.by_number.values() for n in act.articles))
    article = one_of(numbers) if len(numbers) <= MOST_ARTICLES else TEXT
    asked = references_schema(one_of(acts.by_number), article)
    return replace(asked, taken=REFERENCES.schema)


def implicit_articles(reply: str, acts: Acts) -> tuple[list[Chosen], list[str]]:
    """Return the articles of a reply that there are, and what it names that there is not.

    Raises:
        LLMError: the reply is not the JSON that was asked for.
    """
    found: list[Chosen] = []
    unknown: list[str] = []
    for one in read_json(reply, REFERENCES.schema)["references"]:
        for article in one["articles"]:
            named = f"Articles {_NOT_A_NUMBER.sub('', article)} of {one['act']}"
            known = _named(named, acts, one["act"] if one["act"] in acts.by_number else "")
            found += known
            unknown += [] if known else [one_line(named)[:LONGEST_NAME]]
    return _unique(found), list(dict.fromkeys(unknown))[:MOST_UNKNOWN]


def ranked_articles(request: Request, acts: Acts) -> tuple[list[Chosen], str]:
    """Return articles that fit the question, best first, and how they were ranked.

    They are `RANKED` of the ranker and those that the best hits are from. A ranker knows its own
    act only; in others, the latter come first.

    Raises:
        ModelError: the ranker that the request names cannot be used.
    """
    finder = article_finder(acts.main, load_ranker(request.context.ranker or SHIPPED))
    asked = AskedQuestion(request.question, request.context.background)
    best = [Chosen(acts.main, acts.main.articles[n.number]) for n in finder.rank(asked, RANKED)]
    found = articles_found(request, acts)
    if finder.ranker is not None:
        return union(best, found), "the trained ranker of this act, and the best passages found"
    how = "the best passages found, references and BM25"
    if request.context.ranker is not None:
        how += f"; the ranker {request.context.ranker} is for another act"
    return union(found, best), how


def best_found(request: Request) -> list[Hit]:
    """Return the best hits that have text, whatever the filter says of them."""
    return [*request.hits, *request.others][:RANKED]


def articles_found(request: Request, acts: Acts) -> list[Chosen]:
    """Return the articles that the hits are from, that of the best one first."""
    return _unique(
        Chosen(act, article)
        for hit in best_found(request)
        for act in acts.by_number.values()
        if (article := act.article_of(hit.passage)) is not None
    )


def union(*lists: Sequence[Chosen]) -> list[Chosen]:
    """Return all articles, each once, those of the first list first."""
    return _unique(one for found in lists for one in found)


def _named(text: str, acts: Acts, of: str = "") -> list[Chosen]:
    """Return the articles that a text names; of the main act where it names none and `of` is
    empty."""
    found = []
    # An act without a number can only be the one that is spoken of anyway.
    for reference in article_references(text, of or acts.main.number or acts.main.document_id):
        act = acts.by_number.get(reference.act)
        if act is not None:
            kept = with_articles([reference], act.places)
            found += [Chosen(act, act.articles[n]) for one in kept for n in one.articles]
    return found


def _unique(found: Iterable[Chosen]) -> list[Chosen]:
    seen: dict[tuple[str, str], Chosen] = {}
    for one in found:
        seen.setdefault((one.act.document_id, one.article.number), one)
    return list(seen.values())
