"""From the candidates of the retrievers to one order: profiles, fusion, heading propagation,
reranking.

Pure functions over candidates; it knows no engine and no file but that of a profile.
"""
