"""Word messages for several packages: refusals, suggestions, commands to copy, redaction, checks of
arguments.

It knows no engine and no model.
"""
