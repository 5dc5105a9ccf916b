"""The reader of PDF files."""

from indexer.readers.pdf.reader import PdfReader, read_body, read_outline

__all__ = ["PdfReader", "read_body", "read_outline"]
