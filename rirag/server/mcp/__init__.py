"""The index as tools for an assistant (Model Context Protocol), over stdio and HTTP.

Every tool only reads; it must not know how it is reached.
"""
