"""Statements and passages laid side by side: the nearest words, and what differs.

It judges nothing.
"""
