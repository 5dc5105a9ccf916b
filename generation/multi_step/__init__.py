"""Provide the steps of mode `multi-step` (Licari et al.): the act, its articles, examples.

They know no other mode, and no index but through a library.
"""
