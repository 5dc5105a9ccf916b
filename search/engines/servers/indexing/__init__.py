"""One change to an index on a server: staged, built beside the current generation, published.

It does not search, and does not read sources.
"""
