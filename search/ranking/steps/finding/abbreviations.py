"""Search for what the abbreviations and the misspelled words of a question stand for.

What no passage has is replaced by its meaning or the nearest word. Of a short question the other
forms of the abbreviations are added, as words of less weight than its own.
"""

from __future__ import annotations

from dataclasses import replace

from search.lookup.abbreviations import (
    LONGEST_QUESTION,
    OWN_WORDS,
    explained,
    in_full,
    spelled_out,
)
from search.lookup.near_words import near_words
from search.models.encoders.asking import encode_mean
from search.models.encoders.languages import CountsPieces
from search.ranking.steps.protocol import Search


def run(search: Search) -> Search:
    """Return the search with other terms, and another vector where a meaning is encoded."""
    opened, request, question = search.opened, search.request, search.question
    with search.timed("abbreviations"):
        spelled = spelled_out(opened.engine, question, opened.known_words)
        pieces = search.encoder.pieces if isinstance(search.encoder, CountsPieces) else None
        near = near_words(opened.engine, question, opened.known_words, pieces) if pieces else ()
        short = question.words <= LONGEST_QUESTION
        found = explained(opened.engine, question) if short else ()
    changed = search.noted(
        *(f"no passage has {one.word!r}: searched for {one.near!r}" for one in near),
        abbreviations=found, spelled_out=spelled, near_words=near,
    )  # fmt: skip
    instead = changed.trace.instead()
    own = (*request.tokens, *opened.terms_of(instead.values()))
    forms = opened.terms_of(form for one in found for form in (one.short, one.meaning))
    more = tuple(dict.fromkeys(word for word in forms if word not in own))
    if not (instead or more):
        return search
    terms = (*own * OWN_WORDS, *more) if more else own
    vector = request.vector
    if instead and vector is not None:
        asked = [in_full(text, instead) for text in question.asked]
        with search.timed("encode"):
            vector = encode_mean(search.encoder, asked)
    added = len(terms) - len(request.tokens)
    asked_with = replace(request, tokens=terms, vector=vector)
    return replace(changed, request=asked_with, terms=search.terms + added)
