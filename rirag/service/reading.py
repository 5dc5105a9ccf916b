"""Find a document or a passage by what people call it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rirag.refusals import unusable
from search.messages.refusals import unknown_document
from search.provisions.numbering import lookup_keys

if TYPE_CHECKING:
    from search import DocumentSummary, Index, Passage


@dataclass(frozen=True, slots=True)
class Numbered:
    """The passages of a number in a document."""

    passages: tuple[Passage, ...]
    is_around: bool = False
    """Whether the number has no passage of its own, and these are around it."""


def named_document(index: Index, name: str) -> DocumentSummary:
    """Return the document that a DocumentID, short code or title means."""
    ids = index.document_ids(name)
    documents = {document.document_id: document for document in index.documents()}
    if not ids:
        raise unknown_document(name, index.url)
    if len(ids) > 1:
        several = ", ".join(f"{one} ({documents[one].title})" for one in ids)
        raise unusable("document.ambiguous", name=name, several=several)
    return documents[ids[0]]


def numbered_passages(index: Index, document_id: str, number: str) -> Numbered:
    """Return the passages of a number as the source writes it, or else as people name it.

    A rule without a passage of its own has the one around it.

    Raises:
        InputError: other versions of the document have the rule, and that of the asked day not.
    """
    from search.lookup.find import ByNumber
    from search.provisions.grammar.questions import find_rule_numbers

    own = lookup_keys(number)[:1] or (number,)
    asked = (number, f"Rule {number}")
    named = (rule for words in asked for rule in find_rule_numbers(words, index.pipeline.names))
    keys = tuple(dict.fromkeys((*own, *(key for rule in named for key in rule.keys))))
    held = ByNumber(index.passages({"document_id": document_id, "number": keys}))
    for key in keys:
        if passages := held.best(key, number):
            return Numbered(tuple(passages), own[0].startswith(f"{key}/"))
    index.pipeline.works.refuse_rule_of_others(document_id, number)
    return Numbered(())
