"""Statements and passages made comparable: words, numbers, alignment, languages.

It judges nothing.
"""
