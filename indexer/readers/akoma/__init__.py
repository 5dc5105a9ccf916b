"""The reader of Akoma Ntoso.

It knows elements; passages are made by `indexer.acts`.
"""
