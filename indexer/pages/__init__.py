"""Lines of a page or a text as provisions: headings, units, numbered paragraphs and lists.

It knows lines in their order and how they are set, and no file format.
"""
