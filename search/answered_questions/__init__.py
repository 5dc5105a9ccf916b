"""Answered questions as one more retriever: questions like the one asked vote for their passages.

Engines and ranking know it only as one more list of candidates.
"""
