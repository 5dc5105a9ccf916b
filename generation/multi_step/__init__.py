"""The steps of mode `multi-step` (Licari et al.): which act, which articles, which examples."""
