"""Read files: one reader for each format, all with the protocol in `indexer.readers.protocol`.

They turn a file into passages or blocks, and know nothing of indexes and encoders.
"""
