"""Who may do what: keys, scopes, bound filters, sessions of the page, and rates.

It must not know what an endpoint does.
"""
