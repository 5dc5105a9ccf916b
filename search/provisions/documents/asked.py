"""Which documents a question asks to be answered from: "under the GDPR", "our gifts policy".

A title may also be the subject ("Who may approve a complaints policy?"). So a document counts where
a word before its name says so, a verb of saying follows, or two documents are compared.
"""

from __future__ import annotations

import re

from search.language import vocabulary
from search.provisions.documents.law_names import LawName, law_names
from search.provisions.documents.names import DocumentNames, Mention
from search.provisions.jurisdictions import without_state
from search.text.characters import LETTERS

_LED_TO = re.compile(
    rf"\b{vocabulary.any_of('asked.leads')}"
    rf"(?:\s+{vocabulary.any_of('asked.determiners')})*[\s\"'“„«‘(]*(?:l['’])?$",
    re.IGNORECASE,
)
"""Before the name of a document."""
_PROVISION = re.compile(rf"\s{vocabulary.any_of('asked.provisions', 'en')}$", re.IGNORECASE)
_KINDS = frozenset(map(str.casefold, vocabulary.words("asked.kinds", "en"))).union(
    vocabulary.words("documents.own", "en")
)
"""What the name of a law, or of a policy of the own house, has."""
_SAYS = re.compile(rf"[\s\"'”“»’)]*\b{vocabulary.any_of('asked.says')}s?\b", re.IGNORECASE)
_ANY_SUCH = frozenset(vocabulary.words("asked.any"))
"""Before a name that means no document: "What must a whistleblowing policy say?"."""
_CLOSING = " \t\"'”“»’),:;"
"""Behind a name that is taken out."""

FEWEST_LEFT = 3
"""Words that a question without the names must have."""

_COMPARED = vocabulary.words("asked.compares")


def asked_documents(question: str, names: DocumentNames) -> tuple[tuple[str, ...], ...]:
    """Return for each document that is to answer the DocumentIDs that its name may mean."""
    return tuple(dict.fromkeys(one.document_ids for one in _asked_by_name(question, names)))


def without_names(question: str, names: DocumentNames) -> str:
    """Return what a question asks the documents that are to answer, without their names.

    "What does our data retention policy say about job applicants?" is near to whatever the policy
    says of itself, and not to what it says about applicants. A question that is nothing but names
    stays as it is.
    """
    left = question
    for one in reversed(_asked_by_name(question, names)):
        before = _LED_TO.sub("", left[: one.start])
        left = f"{before} {left[one.end :].lstrip(_CLOSING)}"
    left = " ".join(left.split())
    return left if len(left.split()) >= FEWEST_LEFT else question


def _asked_by_name(question: str, names: DocumentNames) -> list[Mention]:
    mentions = names.all_mentions(question)
    if len({one.document_ids for one in mentions}) > 1 and any(
        word.startswith(_COMPARED) for word in LETTERS.findall(question.casefold())
    ):
        return mentions
    return [one for one in mentions if _asked(question, one)]


def _asked(question: str, name: Mention) -> bool:
    before = question[: name.start]
    is_any = before.casefold().rstrip().rpartition(" ")[2] in _ANY_SUCH
    says = _SAYS.match(question, name.end) and not is_any
    return bool(says or _LED_TO.search(before))


def laws_asked_by(question: str) -> list[str]:
    """Return the names of laws and policies that a question asks by, whether the index has them."""
    return [question[law.start : law.end] for law in _laws_asked_by(question)]


def spoken_name(law: str) -> str:
    """Return what a text about a law must have of its name: neither its state nor "Rule"."""
    return _PROVISION.sub("", without_state(law))


def _laws_asked_by(question: str) -> list[LawName]:
    return [
        law
        for law in law_names(question)
        if (
            not _KINDS.isdisjoint(LETTERS.findall(question[law.start : law.end].casefold()))
            or _PROVISION.search(question[law.start : law.end])
        )
        and _asked(question, Mention(law.start, law.end, ()))
    ]


def absent_laws(question: str, names: DocumentNames) -> tuple[str, ...]:
    """Return the names of laws and policies that a question asks by, of no title of the index.

    The Irish Companies Act may have the title *Companies Act*.
    """
    mentions = names.all_mentions(question)
    asked = [
        question[law.start : law.end]
        for law in _laws_asked_by(question)
        if not any(one.start < law.end and law.start < one.end for one in mentions)
    ]
    return tuple(
        name
        for name in dict.fromkeys(asked)
        if not any(names.title_with(one) for one in (name, without_state(name), spoken_name(name)))
    )
