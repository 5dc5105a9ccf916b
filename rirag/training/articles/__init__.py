"""Fitting the article ranker."""
