"""The articles that go into the context: named by the asker, named by the model, ranked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generation.llm.protocol import Limits, Message, Prompt, ReplySchema
from generation.llm.schemas import TEXT, list_of, one_of, read_json, strict_object
from generation.mode import Request
from generation.prompts import render
from generation.text.fence import Fence
from generation.text.sanitize import one_line
from search.articles.act import Act, Article, act_of
from search.articles.features import AskedQuestion
from search.articles.ranker import SHIPPED, article_finder, load_ranker
from search.articles.references import article_references, with_articles
from search.errors import InputError
from search.provisions.act_mentions import act_mentions
from search.provisions.act_numbers import act_number
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
    """Return the shape of the articles that a model names."""
    reference = strict_object(act=act, articles=list_of(article))
    return ReplySchema("references", strict_object(references=list_of(reference)))


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
    numbers = list(dict.fromkeys(n for act in acts.by_number.values() for n in act.articles))
    article = one_of(numbers) if len(numbers) <= MOST_ARTICLES else TEXT
    asked = references_schema(one_of(acts.by_number), article)
    return replace(asked, taken=REFERENCES.schema)


def implicit_articles(reply: str, acts: Acts) -> tuple[list[Chosen], list[str]]:
    """Return the articles of a reply that there are, and what it names that there is not."""
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


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts that a question can be answered from."""

    main: Act
    """The one that an article belongs to where nothing else is said."""
    by_number: Mapping[str, Act]
    """Number → the version that is read; `main` among them."""
    reason: str
    """Why `main` was chosen, and why this version of it."""
    is_guess: bool = False
    """Whether nobody named `main`: it is only the act of the best hit, or the longest."""

    def named_by_model(self, articles: Sequence[Act]) -> Acts:
        """Return the acts with another main one, if it was a guess and the model names articles."""
        if not (self.is_guess and articles):
            return self
        most = Counter(act.document_id for act in articles).most_common(1)[0][0]
        main = next(act for act in articles if act.document_id == most)
        if main.document_id == self.main.document_id:
            return self
        version = f"; version of {main.version}" if main.version else ""
        return replace(self, main=main, reason=f"the model names most articles of it{version}")


def choose_acts(request: Request) -> Acts:
    """Return the acts of the library, one version of each, and the main one.

    The main act is one that was named as a document, else the one that question and background
    name, else, until the model names articles, that of the best hit, or the longest. Of several
    versions that is read which the request names, else the one that most hits are from (a filter
    on dates decides so), else the latest.

    Raises:
        InputError: there is no library, or no act with articles in it.
    """
    versions = _versions(request)
    if not versions:
        raise InputError(
            "Mode multi-step reads the articles of an act, but the index has none; "
            "load one (an EU act as Formex, EUR-Lex HTML or lex-articles JSON), or "
            "use mode rag.",
            code="mode.needs-act",
        )
    hits = Counter(hit.document_id for hit in request.hits)
    chosen = {number: _version(found, hits) for number, found in versions.items()}
    number, reason, is_guess = _main(request, chosen)
    act, why = chosen[number]
    if act.version:
        reason = f"{reason}; version of {act.version}: {why}"
    return Acts(act, {name: one for name, (one, _) in chosen.items()}, reason, is_guess)


def _versions(request: Request) -> dict[str, list[Act]]:
    """Return key of an act → its versions in the library; an act without a number is its own."""
    found: dict[str, list[Act]] = {}
    for document_id in _wanted(request):
        act = (
            request.context.library.worked_out(document_id, act_of)
            if request.context.library
            else None
        )
        if act is not None and act.articles:
            found.setdefault(act.number or act.document_id, []).append(act)
    return found


def _wanted(request: Request) -> list[str]:
    """Return the documents to look for articles in, without reading a whole index.

    They are those that are named, else those whose titles have the number of an act, and those
    that hits are from; where there are none of these, all.
    """
    if request.context.documents or request.context.library is None:
        return list(request.context.documents)
    documents = request.context.library.documents()
    hit = {one.document_id for one in request.hits}
    likely = [d.document_id for d in documents if act_number(d.title) or d.document_id in hit]
    return likely or [d.document_id for d in documents]


def _version(versions: Sequence[Act], hits: Counter[str]) -> tuple[Act, str]:
    if len(versions) == 1:
        return versions[0], "the only one in the index"
    best = max(versions, key=lambda act: (hits[act.document_id], act.version))
    if hits[best.document_id]:
        return best, "most passages found belong to it"
    return best, "the latest in the index"


def _main(request: Request, chosen: Mapping[str, tuple[Act, str]]) -> tuple[str, str, bool]:
    if len(chosen) == 1:
        return next(iter(chosen)), "the only act visible", False
    named = Counter(
        one.act
        for one in act_mentions(f"{request.question}\n{request.context.background}")
        if one.act in chosen
    )
    if named:
        return named.most_common(1)[0][0], "question and background mention it most", False
    for hit in request.hits:
        key = act_number(hit.document_title) or hit.document_id
        if key in chosen:
            return key, "the best passage found belongs to it", True
    longest = max(chosen, key=lambda key: len(chosen[key][0].articles))
    return longest, "the act with the most articles", True
