"""What goes wrong between a client and a server, as errors of rirag with one sentence each.

It sends nothing.
"""
