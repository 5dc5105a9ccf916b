"""What each component of search is worth: it is taken away, and the same questions asked again.

It calls `search` as any user does, and trains nothing.
"""
