"""Parse how provisions are named, numbered, linked and defined.

It reads text and numbers; it must not know of engines, indexes or ranking.
"""
