"""Arrange the passages of a document as a tree, and find the kind of each.

It knows numbers and text, and not where they were read.
"""
