"""Version 1 of the HTTP API: one module for each kind of thing.

It must not know how anything is found or written; it checks, calls and gives JSON back.
"""
