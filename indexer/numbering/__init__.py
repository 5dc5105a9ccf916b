"""Numbers and labels in text: what they say, what comes after what, and which lines open a
passage.

It knows lines and labels, and no file format.
"""
