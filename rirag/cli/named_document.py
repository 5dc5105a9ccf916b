"""From a name that a user gives to the one document that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.errors import InputError
from search.messages.refusals import unknown_document

if TYPE_CHECKING:
    from search import DocumentSummary, Index


def named_document(index: Index, name: str) -> DocumentSummary:
    """Return the document that a DocumentID, short code or title means.

    Raises:
        InputError: there is none, or several.
    """
    ids = index.document_ids(name)
    documents = {document.document_id: document for document in index.documents()}
    if not ids:
        raise unknown_document(name, index.url)
    if len(ids) > 1:
        several = ", ".join(f"{one} ({documents[one].title})" for one in ids)
        raise InputError(f"{name!r} may mean several documents: {several}; give the DocumentID")
    return documents[ids[0]]
