"""Search for what a person says the words of a question mean, too, in the lexical retriever.

All synonyms together weigh less in any passage than the asked words do in the one they fit best,
however rare they are. What is added has no synonyms itself, so that circles end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from search.ranking.steps.protocol import Opened, Search
from search.text.phrases import Terms
from search.trace import Synonyms

SHARE = 0.5
"""Of the weight of the asked words, that of their synonyms, as of the other forms of abbreviations.
On 400 everyday questions over five EU acts .4 and .8 make no difference that is not noise."""

MOST = 50
"""Synonyms of some words that are searched for."""


def run(search: Search) -> Search:
    """Return the search with more terms, each with its weight."""
    opened, request = search.opened, search.request
    own = Counter(request.tokens)
    weights: dict[str, float] = {}
    shown = []
    with search.timed("synonyms"):
        for words, terms in opened.tuning.synonyms.found_in(search.question.text):
            more = {form: _new_terms(opened, form, own) for form in words.meaning[:MOST]}
            found = [form for form, new in more.items() if new and opened.best_score(*new)]
            added = tuple(dict.fromkeys(term for form in found for term in more[form]))
            if found:
                weight = SHARE * _share(opened, own, terms, added)
                weights |= {term: max(weight, weights.get(term, 0)) for term in added}
                shown.append(Synonyms(words.text, tuple(found)))
    if not shown:
        return search
    request = replace(request, tokens=(*request.tokens, *weights), weights=weights)
    return replace(search, request=request).noted(synonyms=tuple(shown))


def _new_terms(opened: Opened, form: str, own: Counter[str]) -> Terms:
    return tuple(term for term in dict.fromkeys(opened.terms_of([form])) if term not in own)


def _share(opened: Opened, own: Counter[str], asked: Terms, added: Terms) -> float:
    """Return the weight at which terms count at most as much as those that were asked.

    Args:
        opened: what is searched.
        own: how often the terms of the question count.
        asked: those of them that the others are added for.
        added: the others; some passage has them.
    """
    times = max(own[term] for term in asked) or 1
    most = opened.best_score(*(term for term in asked for _ in range(own[term])))
    return min(times, most / opened.best_score(*added)) if most else times
