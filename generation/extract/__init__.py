"""Answer without a language model: weigh the statements of passages, choose, and quote.

It knows no engine and no command.
"""
