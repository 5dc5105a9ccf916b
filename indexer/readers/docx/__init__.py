"""The reader of Word documents: automatic numbers, tables, tracked changes, footnotes.

It returns blocks, and knows nothing of passages and their hierarchy.
"""

from indexer.readers.docx.reader import DocxReader, read_blocks

__all__ = ["DocxReader", "read_blocks"]
