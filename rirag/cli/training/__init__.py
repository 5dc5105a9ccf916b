"""Hold the commands below `rirag train`.

They read options and print; `rirag.training` does the work.
"""
