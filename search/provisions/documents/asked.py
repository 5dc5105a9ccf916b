"""Which documents a question asks to be answered from: "under the GDPR", "our gifts policy".

A title may also be the subject ("Who may approve a complaints policy?"). So a document counts where
a word before its name says so, a verb of saying follows, or two documents are compared.
"""

from __future__ import annotations

import re

from search.provisions.documents.names import DocumentNames, Mention
from search.provisions.jurisdictions import without_state

_LED_TO = re.compile(
    r"""(?:\b(?:under|in|within|per|by|according\sto|pursuant\sto|accordance\swith|our|my
        |nach|gemäß|laut|unter|im|unsere[rmns]?
        |selon|dans|en\svertu\sd[ue]|notre)\b
        |\bd['’]après\b)
    (?:\s+(?:the|our|its|their|this|that|der|dem|den|die|das|unsere[rmn]?|le|la|les|notre))*
    [\s"'“„«‘(]*(?:l['’])?$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Before the name of a document; "of" and "to" stand before subjects as often."""
_LAW = re.compile(
    r"""(?:[A-Z][\w'’.-]*\s+(?:(?:and|of|on|for|the|to|in|&)\s+)*){1,7}
        (?:Act|Directive|Regulations?|Law|Code|Ordinance|Rulebook|Sourcebook|Convention|Treaty)\b
        (?:\s+(?:of\s+)?(?:19|20)\d\d\b)?""",
    re.VERBOSE,
)
"""The name of a law as it is written in a sentence: `Solvency II Directive`."""
_SAYS = re.compile(
    r"""[\s"'”“»’)]*\b(?:say|state|require|allow|permit|demand|expect|forbid|prohibit|provide
        |sagt|verlangt|erlaubt|verbietet|regelt|dit|exige|permet|interdit)s?\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ANY_SUCH = re.compile(r"\b(?:an?|any|each|every|eine[rmn]?|une?)\s+$", re.IGNORECASE)
"""Before a name that means no document: "What must a whistleblowing policy say?"."""
_CLOSING = " \t\"'”“»’),:;"
"""Behind a name that is taken out."""

FEWEST_LEFT = 3
"""Words that a question without the names must have."""

_COMPARED = re.compile(
    r"\b(?:compar\w+|differ\w*|versus|vs|both|stricter|conflict\w*|contradict\w*|consistent"
    r"|vergl\w+|unterschied\w*|strenger|beide\w*|différen\w+)\b",
    re.IGNORECASE,
)


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


def laws_asked_by(question: str) -> list[re.Match[str]]:
    """Return the names of laws that a question asks by, whether the index has them or not."""
    return [
        law
        for law in _LAW.finditer(question)
        if _asked(question, Mention(law.start(), law.end(), ()))
    ]


def absent_laws(question: str, names: DocumentNames) -> tuple[str, ...]:
    """Return the names of laws that a question asks by and that no title has the words of.

    The Irish Companies Act may have the title *Companies Act*.
    """
    mentions = [*names.mentions(question), *names.partly_named(question)]
    return tuple(
        dict.fromkeys(
            law[0]
            for law in laws_asked_by(question)
            if not any(one.start < law.end() and law.start() < one.end for one in mentions)
            and not any(names.title_with(name) for name in (law[0], without_state(law[0])))
        )
    )
