"""Articles of acts: which of them a text names, and which of them a question is about.

It knows no index and no language model.
"""
