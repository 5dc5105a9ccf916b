"""Work out the structure of a document: which of its lines open a provision, and which do not.

It knows lines and labels, and no file format.
"""
