"""Rank the candidates of the retrievers: profiles, fusion, heading propagation,
reranking.

Pure functions over candidates; it knows no engine and no file but that of a profile.
"""
