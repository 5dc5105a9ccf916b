"""Models as judges of statements whose words decide nothing.

They return an opinion; what follows from it is decided in `generation.verify`.
"""
