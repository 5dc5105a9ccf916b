"""The reader of Word documents: automatic numbers, tables, tracked changes, footnotes.

It returns blocks, and knows nothing of passages and their hierarchy.
"""
