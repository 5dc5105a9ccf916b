"""The page: HTML for people, rendered on the server, of use without JavaScript.

It must not know how anything is found or stored; it shows what the API gives.
"""
