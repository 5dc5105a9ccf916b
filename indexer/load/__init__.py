"""Load sources into an index: find, read, stage and encode them, and report.

It knows the protocol of readers and engines, and none of the formats.
"""
