"""Fit the article ranker.

It knows no index.
"""
