"""Fitting the models of a profile: the learned last step and the calibrated relevance."""
