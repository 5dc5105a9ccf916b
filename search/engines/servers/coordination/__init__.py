"""How loading processes keep out of one another's way: a lease, a writer, small documents on the
server.

It knows nothing of what is loaded.
"""
