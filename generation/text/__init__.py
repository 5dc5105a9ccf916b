"""Process the text of answers, replies and prompts: sentences, labels, citations, sanitising.

It calls no model, knows no mode, and does not know what a text states.
"""
