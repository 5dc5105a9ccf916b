"""Process text for answers and their checks: sentences, labels, citations, sanitising.

It calls no model, and knows no mode.
"""
