"""The steps that order the candidates by what the retrievers found.

They know nothing of what people know better.
"""
