"""Formats that are turned into one that rirag reads: a converter for each, one reader for all.

Nothing here knows how passages are made.
"""

from indexer.readers.converted.epub import epub_to_html
from indexer.readers.converted.mail import mail_to_html
from indexer.readers.converted.office import SIGN, SUFFIXES, office_to_docx, rtf_to_document
from indexer.readers.converted.reader import ConvertedReader

OFFICE = "office"
CONVERTED = (
    ConvertedReader("rtf", frozenset({".rtf"}), rtf_to_document, SIGN),
    ConvertedReader("epub", frozenset({".epub"}), epub_to_html),
    ConvertedReader("mail", frozenset({".eml", ".mht", ".mhtml"}), mail_to_html, "MIME-Version:"),
    ConvertedReader(OFFICE, SUFFIXES, office_to_docx),
)
"""A reader for each format that is converted."""
