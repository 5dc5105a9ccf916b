"""The reader of Word documents."""

from indexer.readers.docx.reader import DocxReader, read_blocks, read_outline

__all__ = ["DocxReader", "read_blocks", "read_outline"]
