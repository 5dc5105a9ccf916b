"""The commands below `rirag train`.

They read options and print; the work is done in `rirag.training`.
"""
