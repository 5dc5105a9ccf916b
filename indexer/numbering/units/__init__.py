"""Units of laws: the lines that may open one, and which of them count on through a text.

It knows lines and the vocabulary of the languages, and no file format.
"""
