"""Wording that several rooms share: refusals, suggestions, commands to copy, redaction, checks of
arguments.

It knows no engine and no model.
"""
