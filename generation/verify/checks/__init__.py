"""One check a file: what a statement changes, drops or adds against its passage.

A check looks at one statement; it calls no model and changes nothing.
"""
