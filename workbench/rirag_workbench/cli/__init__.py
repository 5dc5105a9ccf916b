"""Define the commands `rirag evaluate`, `study`, `dataset` and `train`, by entry points.

They check their options and print; what they run knows no command line.
"""
