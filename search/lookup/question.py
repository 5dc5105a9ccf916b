"""Analysis of a question: its words, index terms, rule numbers, and filters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from typing import Any

from search.errors import InputError
from search.messages.refusals import unknown_document
from search.provisions.documents.asked import absent_laws, asked_documents, without_names
from search.provisions.documents.by_state import LawAsked, law_asked
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import RuleNumber, find_rule_numbers
from search.provisions.jurisdictions import state_of
from search.provisions.terms.asked import AskedMeaning, asked_meaning
from search.records import JURISDICTION, KINDS, PROBABLE_JURISDICTION, Filters, filter_text
from search.text.analyzer import tokens
from search.text.plain_words import plain_text

MAX_WORDS = 1000
"""Longer questions are cut here: no retriever reads further (the encoders stop at 512 tokens)."""

DOCUMENT_FIELD = "document"
"""Filter field that takes a document's short code or title instead of its DocumentID."""

FilterValue = str | int | float | bool
FilterConditions = Filters | Mapping[str, FilterValue | Collection[FilterValue]]
"""Field → value, or values of which any may match. The field `document` takes a short code."""

_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the retrievers see it."""

    text: str
    """Without control characters, white space folded."""
    words: int
    """|q| of the adaptive weight: white-space separated words."""
    tokens: tuple[str, ...]
    """Index terms; empty when there are only stop words."""
    numbers: tuple[RuleNumber, ...]
    meaning: AskedMeaning
    filters: Filters
    notes: tuple[str, ...]
    """What a user should know of how the question was read."""
    documents: tuple[tuple[str, ...], ...] = ()
    """For each document that is to answer, the DocumentIDs that its name may mean; empty where the
    question names rules or is filtered by document."""
    law: LawAsked | None = None
    """Whose law is asked for; None: any, or the question names rules or is filtered by document."""
    asked: tuple[str, ...] = ()
    """What is encoded, without the name of the only document that is to answer; with states whose
    law is asked for, and without them. The mean of the vectors is searched with."""

    def searched_apart(self) -> list[tuple[str, ...]]:
        """Return the documents that are searched by themselves as well: named, or law there."""
        named = tuple(dict.fromkeys(chain.from_iterable(self.documents)))
        law = tuple(sorted(self.law.own | self.law.beside)) if self.law else ()
        return [documents for documents in (named, law) if documents]


def analyse(text: str, filters: FilterConditions | None, names: DocumentNames) -> Question:
    """Analyse a question.

    Raises:
        InputError: it has no letter or digit, or `resolve_filters` refuses the filters.
    """
    if not isinstance(text, str):
        raise InputError(f"the question must be a text, not {text!r:.80}", code="question.invalid")
    clean = _CONTROL.sub(" ", plain_text(text)).split()
    if not any(character.isalnum() for word in clean for character in word):
        raise InputError(
            "the question has no words: ask in words, or name a rule by its number",
            code="question.empty",
        )
    notes = []
    if len(clean) > MAX_WORDS:
        notes.append(f"the question has {len(clean)} words; only the first {MAX_WORDS} were used")
        clean = clean[:MAX_WORDS]
    question = " ".join(clean)
    terms = tuple(tokens(question))
    if not terms:
        notes.append("the question has only stop words, so the lexical retriever finds nothing")
    numbers = find_rule_numbers(question, names)
    notes += [
        f"{number.text}: no document of the index is named {number.unknown_document}"
        for number in numbers
        if number.unknown_document and not number.is_of_series
    ]
    resolved = resolve_filters({} if filters is None else filters, names)
    meaning = asked_meaning(question, names)
    chosen = bool(numbers) or "document_id" in resolved.fields
    documents = () if chosen else asked_documents(question, names)
    if not numbers:
        absent = absent_laws(question, names)
        notes += [f"no document of the index is named {law}" for law in absent]
    subject = without_names(question, names) if len(documents) == 1 else question
    law = None if chosen else law_asked(subject, names)
    if documents and law and law.is_named and (own := law.own - law.guessed):
        # Own policy and law are compared.
        documents = tuple(dict.fromkeys((*documents, tuple(sorted(own)))))
    asked = (subject, law.subject) if law else (subject,)
    return Question(
        question, len(clean), terms, numbers, meaning, resolved, tuple(notes), documents, law, asked
    )


def resolve_filters(filters: FilterConditions, names: DocumentNames) -> Filters:
    """Return the conditions as engines take them; `document` becomes `document_id`.

    Raises:
        InputError: these are not conditions, one has no value, or it names an unknown document or
            kind.
    """
    if not isinstance(filters, Filters | Mapping):
        raise InputError(
            'filters must be a mapping from field to value, such as {"document": "COND"}, or a '
            f"search.Filters, not {filters!r:.80}",
            code="filter.invalid",
        )
    fields: dict[str, tuple[str, ...]] = {}
    conditions = filters.fields if isinstance(filters, Filters) else filters
    for field, given in conditions.items():
        values = _values(field, given)
        if field == DOCUMENT_FIELD:
            field = "document_id"  # noqa: PLW2901 - the one that engines know
            values = tuple(name for value in values for name in _document_ids(value, names))
        if field in {JURISDICTION, PROBABLE_JURISDICTION}:
            values = tuple(state_of(value) or value for value in values)
        if field == "kind" and not set(values) <= set(KINDS):
            raise InputError(
                f"unknown kind {', '.join(values)!r}; choose from: {', '.join(KINDS)}",
                code="filter.unknown-value",
            )
        known = fields.get(field)
        fields[field] = values if known is None else tuple(v for v in known if v in values)
    return Filters(fields)


def _values(field: str, given: FilterValue | Collection[FilterValue]) -> tuple[str, ...]:
    single = isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable)
    several: list[Any] = [given] if single else list(given)  # type: ignore[arg-type]
    if not several:
        raise InputError(
            f"the filter {field!r} has no value: write {field}=VALUE", code="filter.invalid-value"
        )
    if not all(isinstance(value, str | Real) for value in several):
        raise InputError(
            f"the filter {field!r} has a value that is neither a text nor a number",
            code="filter.invalid-value",
        )
    texts = tuple(filter_text(value) for value in several)
    if any("\ud800" <= character <= "\udfff" for text in texts for character in text):
        raise InputError(
            f"the filter {field!r} has a value that is not valid text", code="filter.invalid-value"
        )
    return texts


def _document_ids(value: str, names: DocumentNames) -> tuple[str, ...]:
    found = names.called(value)
    if not found:
        raise unknown_document(value, names.index_url, "filter.unknown-value")
    return found
