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

_LED_TO = re.compile(
    rf"\b{vocabulary.any_of('asked.leads')}"
    rf"(?:\s+{vocabulary.any_of('asked.determiners')})*[\s\"'“„«‘(]*(?:l['’])?$",
    re.IGNORECASE,
)
"""Before the name of a document."""
_KIND = re.compile(
    rf"\b(?:{vocabulary.any_of('asked.kinds', 'en')}|{vocabulary.any_of('documents.own', 'en')})\b",
    re.IGNORECASE,
)
"""What the name of a law, or of a policy of the own house, has."""
_SAYS = re.compile(rf"[\s\"'”“»’)]*\b{vocabulary.any_of('asked.says')}s?\b", re.IGNORECASE)
_ANY_SUCH = re.compile(rf"\b{vocabulary.any_of('asked.any')}\s+$", re.IGNORECASE)
"""Before a name that means no document: "What must a whistleblowing policy say?"."""
_CLOSING = " \t\"'”“»’),:;"
"""Behind a name that is taken out."""

FEWEST_LEFT = 3
"""Words that a question without the names must have."""

_COMPARED = re.compile(rf"\b{vocabulary.any_of('asked.compares')}\w*\b", re.IGNORECASE)


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
    mentions = list(names.mentions(question))
    for one in names.partly_named(question):  # "our retention policy"
        if all(one.end <= other.start or other.end <= one.start for other in mentions):
            mentions.append(one)
    mentions.sort(key=lambda one: one.start)
    if len({one.document_ids for one in mentions}) > 1 and _COMPARED.search(question):
        return mentions
    return [one for one in mentions if _asked(question, one)]


def _asked(question: str, name: Mention) -> bool:
    before = question[: name.start]
    says = _SAYS.match(question, name.end) and not _ANY_SUCH.search(before)
    return bool(says or _LED_TO.search(before))


def laws_asked_by(question: str) -> list[str]:
    """Return the names of laws and policies that a question asks by, whether the index has them."""
    return [question[law.start : law.end] for law in _laws_asked_by(question)]


def _laws_asked_by(question: str) -> list[LawName]:
    return [
        law
        for law in law_names(question)
        if _KIND.search(question, law.start, law.end)
        and _asked(question, Mention(law.start, law.end, ()))
    ]


def absent_laws(question: str, names: DocumentNames) -> tuple[str, ...]:
    """Return the names of laws and policies that a question asks by, of no title of the index.

    The Irish Companies Act may have the title *Companies Act*.
    """
    mentions = [*names.mentions(question), *names.partly_named(question)]
    asked = [
        question[law.start : law.end]
        for law in _laws_asked_by(question)
        if not any(one.start < law.end and law.start < one.end for one in mentions)
    ]
    return tuple(
        name
        for name in dict.fromkeys(asked)
        if not any(names.title_with(one) for one in (name, without_state(name)))
    )
