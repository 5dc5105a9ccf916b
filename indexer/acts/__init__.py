"""Acts as trees of provisions, and from the tree to passages.

Readers of structured legal text build the tree; nothing here knows a format.
"""
