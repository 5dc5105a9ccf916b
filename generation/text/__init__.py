"""The text work that answers and their checks share: sentences, labels, citations, sanitising.

It calls no model, and knows no mode.
"""
