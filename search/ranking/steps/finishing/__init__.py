"""The steps for what people know better than any score, and for how likely each hit answers.

They do not ask the retrievers again.
"""
