"""Fitting the fixed weights of a fusion profile."""
