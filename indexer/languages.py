"""In which language the documents of a load are: English, another one, or one the encoder lacks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from search.foreign import PASSAGES_READ
from search.records import Passage
from search.text.characters import normal_form
from search.text.languages import english, foreign_letters

if TYPE_CHECKING:
    from search.models.encoders.protocol import Encoder


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
