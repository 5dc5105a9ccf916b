"""Retrieval on questions with known answers: question files, runs, measures, significance.

It calls `search` and knows nothing of answers.
"""
