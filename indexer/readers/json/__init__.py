"""The readers of JSON and JSONL records of passages.

They check records, and leave everything else to the load.
"""
