"""Weights of models: what training starts from, mixing them, exporting them."""
