"""The reader of OpenDocument texts: automatic numbers, tables, tracked changes, footnotes.

It returns blocks, and knows nothing of passages and their hierarchy.
"""
