"""From the sources that a user names to passages in an index: reading, staging, encoding, report.

It knows the protocol of readers and engines, and none of the formats.
"""
