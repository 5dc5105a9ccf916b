"""What a question is about: the index terms of it that name its subject."""

from __future__ import annotations

import re
from functools import lru_cache

from search.text.analyzer import term_set, tokens
from search.text.stop_words import FUNCTION_WORDS

_ASKING = frozenset(
    tokens(
        "what how which who whom whose when where why can could may might must shall should would "
        "do does did is are was were have has please explain describe specify provide clarify "
        "elaborate outline detail specific regarding concerning accordance context under within "
        "according any you me we our i us question rule rules requirement requirements "
        "long soon often much many need needs let allowed happen happens say says tell told "
        "wie was wer wen wem wann wo warum welche welcher welches welchen muss müssen muß darf "
        "dürfen kann können soll sollen wird werden ist sind war hat haben der die das den dem des "
        "ein eine einen einem einer und oder wenn für von vom zu zum zur im in auf mit bei nach "
        "nicht sich wir ich unser unsere unserem "
        "mein meine meinen meinem meiner man es er sie lange viel viele hoch sagt sagen "
        "steht abs absatz art artikel satz nr "
        "quel quelle quels quelles qui que quoi quand où comment combien temps pourquoi le la les "
        "un une des du au aux je tu mon ma mes dois faire fait "
        "en dans pour par sur avec sans est sont doit doivent peut peuvent "
        "faut il elle ils elles nous vous notre nos et ou ne pas se ce cette ces son sa ses leur "
        "euro euros"
    )
)
"""Words that ask, or carry grammar, instead of naming a subject."""


def subject(question: str) -> frozenset[str]:
    """Return the index terms of a question that name its subject; all of them if none does."""
    return subject_terms(question) or term_set(question)


def subject_terms(text: str) -> frozenset[str]:
    """Return the index terms that do more than ask or carry grammar."""
    return term_set(text) - _ASKING - _GRAMMAR


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


_GRAMMAR = term_set(" ".join(FUNCTION_WORDS))
