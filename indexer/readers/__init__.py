"""Readers: one file a format, all with the protocol in `indexer.readers.protocol`."""
