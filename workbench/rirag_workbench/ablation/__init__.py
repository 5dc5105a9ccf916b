"""Measure what each component of search contributes, by asking the same questions without it.

It calls `search` as any user does, and trains nothing.
"""
