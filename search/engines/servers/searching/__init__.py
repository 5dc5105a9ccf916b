"""Searches on a server: query bodies, the retrievers as conversations, passages read back.

It does not change an index.
"""
