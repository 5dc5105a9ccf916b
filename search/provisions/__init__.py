"""How laws and rulebooks number their provisions and how texts name them.

It must not know of engines, indexes or ranking.
"""
