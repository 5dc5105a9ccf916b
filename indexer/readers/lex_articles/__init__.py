"""The reader of `lex-articles` records of EU acts.

It knows their Markdown; passages are made by `indexer.acts`.
"""
