"""Search by answered questions: those similar to the question vote for their passages.

Engines and ranking know it only as one more list of candidates.
"""
