"""XML as a safe tree, and which format its beginning names.

It knows no element of any format.
"""
