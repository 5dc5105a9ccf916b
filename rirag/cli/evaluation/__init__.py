"""Hold the commands below `rirag evaluate`.

They read options and print; `rirag.evaluation` and `rirag.ablation` do the work.
"""
