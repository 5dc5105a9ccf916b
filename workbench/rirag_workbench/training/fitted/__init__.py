"""Fit the models of a profile: learning to rank, and the calibrated relevance.

It knows nothing of encoders and of how they are trained.
"""
