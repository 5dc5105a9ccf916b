"""Compare the versions of a work: which rule is which in two of them, and what changed.

It knows an engine by its protocol, and nothing of ranking, readers and answers.
"""
