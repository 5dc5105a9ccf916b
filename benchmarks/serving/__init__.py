"""What a running server does under load, measured from outside, one module for each kind of load.

It must not know the server's code: only its command, its addresses, and the library beside it.
"""
