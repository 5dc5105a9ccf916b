"""The reader of Formex 4.

It knows elements; passages are made by `indexer.acts`.
"""
