"""Write pages and sheets for people.

They show names and figures that they are given, and do not know what was measured.
"""
