"""Find what a question asks for by name, before anything is ranked: its analysis, pinned rules
and definitions.

It asks an engine by exact keys, and knows nothing of scores.
"""
