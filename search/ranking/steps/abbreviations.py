"""Search for what the abbreviations of a question stand for.

What no passage has is replaced by its meaning; of a short question the other forms of the
abbreviations are added, as words of less weight than its own.
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
from search.models.encoders.asking import encode_mean
from search.ranking.steps.protocol import Search


def run(search: Search) -> Search:
    """Return the search with other terms, and another vector where a meaning is encoded."""
    opened, request, question = search.opened, search.request, search.question
    with search.timed("abbreviations"):
        spelled = spelled_out(opened.engine, question, opened.known_words)
        short = question.words <= LONGEST_QUESTION
        found = explained(opened.engine, question) if short else ()
    own = (*request.tokens, *opened.terms_of(one.meaning for one in spelled))
    forms = opened.terms_of(form for one in found for form in (one.short, one.meaning))
    more = tuple(dict.fromkeys(word for word in forms if word not in own))
    if not (spelled or more):
        return search
    terms = (*own * OWN_WORDS, *more) if more else own
    vector = request.vector
    if spelled and vector is not None:
        asked = [in_full(text, spelled) for text in question.asked]
        with search.timed("encode"):
            vector = encode_mean(search.encoder, asked)
    added = len(terms) - len(request.tokens)
    asked_with = replace(request, tokens=terms, vector=vector)
    changed = replace(search, request=asked_with, terms=search.terms + added)
    return changed.noted(abbreviations=found, spelled_out=spelled)
