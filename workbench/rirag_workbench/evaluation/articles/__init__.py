"""How well the articles that Q&As are about are found.

It calls `search` and knows nothing of the command line.
"""
