"""Provide the parts of mode `advisor`: legal regime and weighted context (BDD-FinLegal).

It calls no model itself; the mode does.
"""
