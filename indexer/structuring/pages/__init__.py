"""Turn the lines of a page or text into provisions.

It knows lines in their order and how they are set, and no file format.
"""
