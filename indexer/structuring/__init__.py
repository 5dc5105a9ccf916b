"""Read the structure of a document: labels and units, the lines that open them, and which of the
possible readings of a text its numbers bear out.

It knows lines and labels, and no file format.
"""
