"""Documents whose definitions hold in others as well."""

from __future__ import annotations

from search.provisions.documents.titles import document_code
from search.records import DocumentSummary

GLOSSARY_CODES = frozenset({"GLO", "GLOS"})
GLOSSARY_WORDS = ("glossary", "definitions", "defined terms")
"""What the title of such a document has."""


def is_glossary(document: DocumentSummary) -> bool:
    """Return whether a document defines terms, by its title or DocumentID."""
    title = document.title.casefold()
    codes = {document_code(document.title), document.document_id.upper()}
    return bool(codes & GLOSSARY_CODES) or any(word in title for word in GLOSSARY_WORDS)
