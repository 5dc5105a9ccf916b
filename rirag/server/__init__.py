"""Serve one index: the HTTP API, the page and the MCP tools.

It must not know the command line, and nothing outside this folder knows HTTP.
"""
