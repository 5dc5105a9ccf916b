"""The term whose meaning a question asks for: "What is Client Money?"."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from search.language import vocabulary
from search.provisions.documents.names import DocumentNames
from search.provisions.terms.definitions import LONGEST_TERM
from search.text.analyzer import FUNCTION_WORDS, words
from search.text.spans import without

LONGEST_QUESTION = 150
"""Characters; a longer question asks for more than a meaning."""

_TERM = r"(?P<term>\S.*?)"
_FORMS = tuple(
    re.compile(form.replace("TERM", _TERM), re.IGNORECASE)
    for form in vocabulary.words("definitions.forms")
)
"""How meanings are asked for. A form may read too much: what counts is whether the index defines
the very words that are in it."""

_SCOPE = frozenset(vocabulary.words("definitions.scope", "en"))
"""Words that may follow a term to say where it is defined, once the document's name is gone."""

MOST_BESIDE = 2
"""Content words that a question may have beside the term."""

_NO_SUBJECT = FUNCTION_WORDS.union(_SCOPE, vocabulary.words("definitions.meaning"))

_MAY_ASK = re.compile(rf"\b{vocabulary.any_of('definitions.may_ask')}", re.IGNORECASE)
"""What every form has, so that other questions cost nothing."""

_BEFORE = re.compile(
    rf"^(?:the\s+)?(?:(?:defined\s+)?{vocabulary.any_of('definitions.called', 'en')}\s+)?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(rf"^{vocabulary.any_of('definitions.articles')}\s+", re.IGNORECASE)
_DEFINITE = re.compile(r"\W*the\s", re.IGNORECASE)
_QUOTES = " \t“”\"'‘’«».,;:?!()"


class AskedMeaning(NamedTuple):
    """What a question may ask the meaning of."""

    terms: tuple[str, ...] = ()
    """Readings of the term, the likeliest first; empty: it asks something else."""
    document_ids: tuple[str, ...] = ()
    """The documents that it names, whose definitions are meant."""


def asked_meaning(question: str, names: DocumentNames) -> AskedMeaning:
    """Return what a question may ask the meaning of.

    "What is Client Money under the Rules of COBS?" may ask for "Client Money under the Rules", or
    for "Client Money". Which it is, the definitions tell.

    Args:
        question: as it was asked.
        names: of the documents; what names one of them is not a part of a term.
    """
    if len(question) > LONGEST_QUESTION or not _MAY_ASK.search(question):
        return AskedMeaning()
    mentions = names.mentions(question)
    text = " ".join(without(question, [(one.start, one.end) for one in mentions]).split())
    readings: dict[str, None] = {}
    for form in _FORMS:
        if match := form.search(text):
            asked = (one for one in _readings(match["term"]) if _asks_only(text, one))
            readings |= dict.fromkeys(asked)
    named = dict.fromkeys(one for mention in mentions for one in mention.document_ids)
    return AskedMeaning(tuple(readings), tuple(named)) if readings else AskedMeaning()


def _asks_only(text: str, term: str) -> bool:
    """Return whether a question asks hardly anything else: most that ask for a rule's details, "and
    how does this relate to the definition of an Insider?", are not answered by the definition.
    """
    others = Counter(words(text)) - Counter(words(term))
    return sum(count for word, count in others.items() if word not in _NO_SUBJECT) <= MOST_BESIDE


def _readings(text: str) -> list[str]:
    """Return what may be the term: all of a text, or less without words that say where it holds.

    "A deployer of AI systems" may be a deployer; "the capital of Peru" is not the term `capital`.
    """
    left = _ARTICLE.sub("", _BEFORE.sub("", text.strip(_QUOTES)).strip(_QUOTES)).split()
    readings = []
    while left:
        if len(left) <= LONGEST_TERM:
            readings.append(" ".join(left).strip(_QUOTES))
        if left[-1].strip(_QUOTES).lower() not in _SCOPE:
            break
        left.pop()
    if not _DEFINITE.match(text):
        readings.append(" ".join(left).partition(" of ")[0].strip(_QUOTES))
    return [*dict.fromkeys(filter(None, readings))]
