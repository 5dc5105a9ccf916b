"""The commands below `rirag evaluate`.

They read options and print; the work is done in `rirag.evaluation`.
"""
