"""What a question is about: the index terms of it that name its subject."""

from __future__ import annotations

import re
from functools import lru_cache

from search.language import vocabulary
from search.text.analyzer import GRAMMAR, term_set, tokens

_ASKING = term_set(" ".join(vocabulary.words("subject.asking")))
"""Words that ask, or carry grammar, instead of naming a subject."""


def subject(question: str) -> frozenset[str]:
    """Return the index terms of a question that name its subject; all of them if none does."""
    return subject_terms(question) or term_set(question)


def subject_terms(text: str) -> frozenset[str]:
    """Return the index terms that do more than ask or carry grammar."""
    return term_set(text) - _ASKING - GRAMMAR


LONG = 9
"""Letters from which a word may be one of several of a German compound, with an ending."""

_ENDING = re.compile(r"(?:ern|en|er|es|em|e|n|s)$")


def terms_of(text: str) -> frozenset[str]:
    """Return the index terms of a text, and those of long words without their endings.

    The analyzer folds English endings; `Geldwäschebeauftragter` and `Geldwäschebeauftragten` share
    what is left here.
    """
    terms = tokens(text)
    return frozenset(terms).union(bare(term) for term in terms if len(term) >= LONG)


@lru_cache(maxsize=20_000)
def bare(term: str) -> str:
    """Return a long term without its German ending; others as they are."""
    return _ENDING.sub("", term) if len(term) >= LONG else term
