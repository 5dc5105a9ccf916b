"""How documents are named: titles, short codes, and the names by which a question means one.

It knows records only, not what is searched for.
"""
