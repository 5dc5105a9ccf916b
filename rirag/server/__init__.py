"""The HTTP API, the page and the MCP tools over one index.

It must not know the command line, and nothing outside this folder knows HTTP.
"""
