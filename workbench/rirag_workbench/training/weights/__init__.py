"""Weights of models: what training starts from, and exporting them.

It knows nothing of data and losses.
"""
