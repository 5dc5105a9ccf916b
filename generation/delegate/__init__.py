"""Provide the parts of mode `delegate`: a plan, juniors that read their parts, a challenge.

It knows no other mode, and no index but through a library.
"""
