"""Load answered questions into an index, and change them.

It does not know how they are used in a search.
"""
