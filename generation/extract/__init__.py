"""Answer without a model: weigh the statements of passages, choose, quote.

It knows no engine and no command.
"""
