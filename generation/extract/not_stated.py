"""What a question asks for that its passages do not have: names, words, and kinds of value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generation.extract.asked import AskedKind, asked_kinds
from generation.extract.features import Subject
from generation.library import Library
from generation.text.phrases import NOT_INDEXED, NOT_MENTIONED, NOT_STATED
from generation.text.values import ValueKind, values_in
from search.provisions.documents.names import DocumentNames
from search.records import Hit
from search.text.analyzer import tokens
from search.text.plain_words import WORD

MOST_WORDS = 3
"""Words that are listed, the rarest first."""

LEAST_SHARE = 0.35
"""Part of a question's subject in the passages read from which on no word of it is listed: people
ask in words of their own."""

STATES: Mapping[AskedKind, frozenset[ValueKind]] = {
    "time": frozenset({"time", "date"}),
    "money": frozenset({"money", "percent"}),
    "percent": frozenset({"percent", "number"}),
    "number": frozenset({"number", "percent", "money", "time"}),
}
"""Kind that is asked for → the values that state it."""

MOST_RARE = 10.0
"""What a word weighs that no passage of the index has."""

_NAME = re.compile(r"[A-Z][A-Za-z]*[A-Z]\w*|[A-Z]{2,}\w*")
"""Acronyms and names with a capital inside, such as FinCEN, GDPR and MiFID."""
_EXAMPLE = re.compile(r"\b(?:for example|such as|e\.g\.|for instance|zum Beispiel|z\. ?B\.)", re.I)
_FORM = re.compile(
    r"\b(?:form|writing|written|electronic\w*|template|portal|e-?mail|format)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Names:
    """Names and acronyms of a question that no passage of the index has."""

    unknown: tuple[str, ...] = ()
    """Those that name nothing in the index."""
    of_documents: tuple[str, ...] = ()
    """Those that name a document of it, by title, short code or DocumentID."""


NO_NAMES = Names()


@dataclass(frozen=True, slots=True)
class NotStated:
    """What is absent."""

    names: tuple[str, ...] = ()
    """Names and acronyms that no passage of the index has, and that name no document of it."""
    words: tuple[str, ...] = ()
    """Words of the subject that no passage read has, rarest first."""
    kinds: tuple[AskedKind, ...] = ()
    """Kinds of thing asked for that no passage read states."""

    def to_json(self) -> dict[str, tuple[str, ...]]:
        """Return the parts by their names."""
        return {"names": self.names, "words": self.words, "kinds": self.kinds}

    def sentences(self) -> list[str]:
        """Return what an answer says of it, a sentence each."""
        listed = {NOT_INDEXED: self.names, NOT_MENTIONED: self.words}
        said = [f"{lead} {', '.join(words)}." for lead, words in listed.items() if words]
        return said + [NOT_STATED[kind] for kind in self.kinds]


def not_stated(
    question: str,
    hits: Sequence[Hit],
    rarities: Mapping[str, float] | None,
    names: Names,
) -> NotStated:
    """Return what a question asks for that the passages read do not have.

    Args:
        question: as it was asked.
        hits: whose passages were read.
        rarities: of the question's terms in the index; None: not known.
        names: of the question, that no passage of the index has.
    """
    texts = [" ".join((hit.document_title, *hit.breadcrumb, hit.text)) for hit in hits]
    have = frozenset(term for text in texts for term in tokens(text))
    words = _missing(question, have, rarities or {}, names)
    return NotStated(names.unknown, words, _kinds(question, hits))


def absent_names(question: str, rarities: Mapping[str, float], library: Library) -> Names:
    """Return the names and acronyms of a question that no passage of the index has."""
    found = []
    for word in WORD.findall(question):
        terms = [*tokens(word), *tokens(word.removesuffix("s"))]
        if _NAME.fullmatch(word) and terms and not any(rarities.get(term) for term in terms):
            found.append(word)
    if not found:
        return NO_NAMES
    known = DocumentNames(library.documents())
    here = [
        word for word in found if known.has_name(word) or known.has_name(word.removesuffix("s"))
    ]
    return Names(tuple(dict.fromkeys(word for word in found if word not in here)), tuple(here))


def _missing(
    question: str, have: frozenset[str], rarities: Mapping[str, float], names: Names
) -> tuple[str, ...]:
    documents = {term for word in names.of_documents for term in tokens(word)}
    about = Subject(question, {term: rare or MOST_RARE for term, rare in rarities.items()
                               if term not in documents})  # fmt: skip
    if not rarities or about.share(have) >= LEAST_SHARE:
        return ()
    weight = {
        word: max((rarities.get(term, 0.0) or MOST_RARE for term in tokens(word)), default=0.0)
        for word in dict.fromkeys(WORD.findall(question))
        if {*tokens(word)} & about.weights.keys() - have and not word[0].isdigit()
    }
    rare = sorted(weight, key=lambda word: -weight[word])
    told = {*names.unknown, *names.of_documents}
    return tuple(word for word in rare if word not in told)[:MOST_WORDS]


def _kinds(question: str, hits: Sequence[Hit]) -> tuple[AskedKind, ...]:
    asked = asked_kinds(question)
    have = frozenset(kind for hit in hits for kind in values_in(hit.text))
    text = " ".join(hit.text for hit in hits)
    absent: dict[AskedKind, bool] = {
        **{kind: not have & values for kind, values in STATES.items()},
        "example": not _EXAMPLE.search(text),
        "form": not _FORM.search(text),
    }
    return tuple(kind for kind, is_absent in absent.items() if is_absent and kind in asked)
