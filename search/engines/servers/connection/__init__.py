"""How to reach a server: addresses, credentials, TLS, and the two client libraries behind one
client.

It knows nothing of passages or generations.
"""
