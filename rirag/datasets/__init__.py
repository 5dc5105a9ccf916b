"""Data sets of questions with the passages that answer them: built, checked, split, exported.

They use an index and the user's language model; how models are trained on them is not known.
"""
