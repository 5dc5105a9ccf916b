"""Serve one index: the HTTP API, the page and the MCP tools.

It must not know the command line, and nothing outside this folder knows HTTP. What refuses a
request raises a `Problem`; what cannot use a file raises an error of `search.errors`.
"""
