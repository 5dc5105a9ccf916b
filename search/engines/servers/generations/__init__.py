"""The generations of an index on a server: names, manifests, aliases, rollback and repair.

It does not load or search passages.
"""
