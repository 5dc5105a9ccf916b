"""Hold the commands below `rirag train`.

They read options and print; `rirag_workbench.training` does the work.
"""
