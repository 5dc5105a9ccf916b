"""Rules that a text names by number, as people write them.

It reads text alone, and looks nothing up.
"""
