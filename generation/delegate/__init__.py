"""Mode `delegate`, piece by piece: a plan, juniors who read only their parts, a challenge.

It knows no other mode, and no index but through a library.
"""
