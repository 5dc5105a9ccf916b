"""Weights of models: what training starts from, mixing them, exporting them.

It knows nothing of data and losses.
"""
