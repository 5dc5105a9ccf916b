"""Loading answered questions into an index, and changing them.

It does not know how they are used in a search.
"""
