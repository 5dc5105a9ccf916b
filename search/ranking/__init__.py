"""Rank the candidates of the retrievers: profiles, fusion, heading propagation, steps.

Pure functions over candidates; only the steps ask engines and models.
"""
