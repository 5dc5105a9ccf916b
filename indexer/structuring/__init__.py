"""Read the structure of a document: from lines or blocks to passages.

Labels are read once (`labels`), lines are put together (`lines`), the units that run through a text
are found (`units`), a tree is built of lines (`pages`) or of blocks with a look (`outline`), and
its provisions become passages (`acts`). It knows no file format and no index.
"""
