"""The tree of a document's passages, and what each passage is.

It knows numbers and text, and not where they were read.
"""
