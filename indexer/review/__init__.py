"""What a reader understood of a document, checked before anything is loaded.

It reports; it changes nothing.
"""
