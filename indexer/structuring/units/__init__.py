"""Find the units that run through a text, and score readings by them.

It knows the lines of one text in their order, and builds no tree.
"""
