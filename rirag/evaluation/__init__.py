"""Measures of search and of answers, and whether a difference between two of them is luck.

It calls the packages as any user does, and knows nothing of the command line.
"""
