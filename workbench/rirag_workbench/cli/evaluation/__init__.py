"""Hold the commands below `rirag evaluate`.

They read options and print; the folders `evaluation` and `ablation` do the work.
"""
