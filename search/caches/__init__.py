"""Keep small bounded caches for values that never change while an index is open.

They know nothing of what they keep.
"""
