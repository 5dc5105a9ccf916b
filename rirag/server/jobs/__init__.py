"""Uploads and the one worker that loads them, through crashes and restarts.

It must not know addresses or pages.
"""
