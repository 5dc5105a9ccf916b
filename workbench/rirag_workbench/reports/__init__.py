"""Write reports for people: tables, charts and pages.

They show names and figures that they are given, and do not know what was measured.
"""
