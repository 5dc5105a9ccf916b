"""The reader of HTML pages of rulebooks and guidelines.

It knows pages; passages are made by `indexer.structuring.acts`.
"""
