"""Fitting the models of a profile: the learned step and the calibrated relevance."""
