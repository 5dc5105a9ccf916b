"""Reports for people: tables, charts, pages and sheets, for every command that writes one.

They show names and figures that they are given, and do not know what was measured.
"""
