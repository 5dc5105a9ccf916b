"""The reader of numbered plain text and Markdown.

It knows lines and front matter; numbers are understood by `indexer.structuring`.
"""
