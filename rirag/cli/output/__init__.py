"""Format what commands print: hits, links, trees, progress.

It formats and decides nothing.
"""
