"""Find the articles of an act that a text names, and those that a question is about.

It knows no index and no language model.
"""
