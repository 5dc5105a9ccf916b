"""The reader of acts as EUR-Lex shows them in HTML.

It knows classes and blocks of pages; passages are made by `indexer.structuring.acts`.
"""
