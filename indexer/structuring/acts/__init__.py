"""Build acts as trees of provisions, and turn the trees into passages.

Readers of structured legal text build the tree; nothing here knows a format.
"""
