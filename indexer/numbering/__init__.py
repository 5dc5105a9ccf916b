"""Parse numbers and labels in text: their meaning, their order, and which lines open a
passage.

It knows lines and labels, and no file format.
"""
