"""Recognise questions about the law of a state, or about a law, that no passage found speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.library import Library
from search.provisions.documents.asked import absent_laws, laws_asked_by
from search.provisions.documents.names import DocumentNames
from search.provisions.jurisdictions import (
    is_law_of,
    shares_of_states,
    state_of,
    states_in,
    without_state,
)
from search.records import JURISDICTION, PROBABLE_JURISDICTION, Hit, Passage

AT_HOME, OF_MOST = 0.01, 0.2
"""Part of the passages of a document that name a state from which on it is of that state's law, and
the same as part of those that name the state that is named most."""

MOST_READ = 5
"""Hits that are read for the state."""

_OWN = re.compile(
    r"\b(?:we|our|ours|my|mine|i|i'm|wir|uns|unser\w*|ich|mein\w*)\b|(?-i:\bus\b)", re.IGNORECASE
)
"""Who asks about the own affairs may name a place of them: `Our lab in India …`."""
_PLACE = re.compile(
    r"\b(?:stor(?:ed?|ing|age)|transfer\w*|sen[dt]|sending|host(?:ed|ing)?|locat\w+|mov(?:e|ed|ing)|"
    r"travel\w*|live[sd]?|living|resid\w+|based|abroad|export\w*|import\w*|outsourc\w+|"
    r"speicher\w*|übermitt\w+|ausgelagert|reis\w+|wohn\w*)\b",
    re.IGNORECASE,
)
"""What is done at a place or to it: `stored in the USA`."""
_SENTENCE_ENDS = re.compile(r"[.?!]\s+[A-Z]")


def elsewhere(question: str, hits: Sequence[Hit], library: Library) -> str:
    """Return why a question is about a law or state that no passage found is about; else "".

    Args:
        question: as it was asked.
        hits: those that an answer is made of.
        library: has their documents.
    """
    return _of_an_absent_law(question, hits, library) or _of_another_state(question, hits, library)


def laws_of(hits: Sequence[Hit]) -> frozenset[str]:
    """Return the codes of the states whose law passages are, or probably are."""
    fields = (JURISDICTION, PROBABLE_JURISDICTION)
    said = (hit.passage.metadata.get(field) for hit in hits for field in fields)
    return frozenset(map(state_of, said)) - {""}


def _of_an_absent_law(question: str, hits: Sequence[Hit], library: Library) -> str:
    if not laws_asked_by(question):
        return ""  # most questions: the names of all documents are not read for them
    laws = absent_laws(question, DocumentNames(library.documents()))
    said = " ".join(_words(hit) for hit in hits).casefold()
    absent = [law for law in laws if without_state(law).casefold() not in said]
    return f"no document of the index is named {absent[0]}." if absent else ""


def _of_another_state(question: str, hits: Sequence[Hit], library: Library) -> str:
    """Return why none of the states that a question names is where a passage is law.

    A story of several sentences, or about the own affairs, names places for other reasons.
    """
    named = states_in(question)
    is_place = any(one.search(question) for one in (_OWN, _PLACE, _SENTENCE_ENDS))
    if not named or is_place:
        return ""
    hits = hits[:MOST_READ]
    titles = " ".join(one.title for one in library.documents())
    said = {*states_in(" ".join(map(_words, hits))), *states_in(titles), *laws_of(hits)}
    for document in dict.fromkeys(hit.document_id for hit in hits):
        said |= library.worked_out(document, _homes)
    if any(is_law_of(law, state) for law in said for state in named):
        return ""
    return f"no passage that was found mentions {' or '.join(named.values())}, or is law there."


def _words(hit: Hit) -> str:
    return " ".join((hit.document_title, *hit.breadcrumb, hit.text))


def _homes(passages: Sequence[Passage]) -> frozenset[str]:
    shares = shares_of_states(one.text for one in passages)
    least = max(AT_HOME, OF_MOST * max(shares.values(), default=0))
    return frozenset(state for state, share in shares.items() if share >= least)
