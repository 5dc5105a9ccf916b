"""Check how a document is read before it is loaded.

It reports; it changes nothing.
"""
