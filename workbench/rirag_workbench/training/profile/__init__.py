"""Fit the fixed weights of a fusion profile.

It trains no model.
"""
