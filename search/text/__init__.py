"""The text analysis that every retriever shares: tokens, characters, stop words, BM25.

It knows words only: no passages, no numbers of rules, no engine.
"""
