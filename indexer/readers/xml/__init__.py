"""XML as a safe tree, and one builder of acts over a table of a format's elements.

It knows no element of any format.
"""
