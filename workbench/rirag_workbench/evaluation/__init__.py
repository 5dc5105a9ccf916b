"""Measure search and answers, and test whether a difference is more than chance.

It calls the packages as any user does, and knows nothing of the command line.
"""
