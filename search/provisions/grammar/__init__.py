"""The one parser from text to references to provisions.

It must not know of engines, or of which documents an index holds: callers hand it their names.
"""
