"""Analyse text for every retriever: tokens, characters, stop words, BM25.

It knows words only: no passages, no numbers of rules, no engine.
"""
