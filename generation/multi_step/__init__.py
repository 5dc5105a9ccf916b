"""The steps of mode `multi-step` (Licari et al.): which act, which articles, which examples.

They know no other mode, and no index but through a library.
"""
