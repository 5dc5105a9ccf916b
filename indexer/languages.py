"""In which language the documents of a load are: English, another one, or one the encoder lacks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from search.records import Passage
from search.text.characters import normal_form
from search.text.languages import english, foreign_letters

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder

PASSAGES_READ = 200
"""Passages at the beginning of a document that tell its language."""

LEAST_FOREIGN = 0.15
"""Share of the passages of a document in two languages that are not English, at least. Lists and
formulas look like another language: in an English act up to 11 in 100 passages do."""


def foreign_share(passages: Iterable[Passage]) -> float:
    """Return the share of the passages that are not English, of those that tell."""
    told = [
        known for one in islice(passages, PASSAGES_READ) if (known := english(one.text)) is not None
    ]
    return told.count(False) / len(told) if told else 0.0


def is_foreign(text: str, share: float) -> bool:
    """Return whether a passage is not English.

    Args:
        text: of the passage.
        share: of the passages of its document that are not English.
    """
    known = english(text)
    return share >= 0.5 if known is None else not known and share >= LEAST_FOREIGN


def unread_documents(
    documents: Iterable[tuple[str, Iterable[Passage]]], encoder: Encoder
) -> tuple[str, ...]:
    """Return the IDs of documents in a language that the encoder hardly reads.

    A few words that may be English are no such document.
    """
    from search.models.encoders.languages import hardly_reads

    texts = ((document_id, beginning(passages)) for document_id, passages in documents)
    return tuple(
        document_id
        for document_id, text in texts
        if (english(text) is False or foreign_letters(text)) and hardly_reads(encoder, text)
    )


def beginning(passages: Iterable[Passage]) -> str:
    """Return the text at the beginning of a document: its passages that are not short, if any."""
    texts = [normal_form(one.text) for one in islice(passages, PASSAGES_READ)]
    return "\n".join([text for text in texts if len(text) > 100] or texts)
