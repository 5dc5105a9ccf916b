"""The steps that ask the engines, in words and by meaning.

They know nothing of the order in which the candidates will come.
"""
