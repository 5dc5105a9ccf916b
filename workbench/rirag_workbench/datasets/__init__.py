"""Build, check, split and export data sets of questions with the passages that answer them.

They use an index and the user's language model; how models are trained on them is not known.
"""
