"""The reader of PDF files: columns, tables, running heads, footnotes, in a process of its own.

It returns blocks, and knows nothing of passages and their hierarchy.
"""
