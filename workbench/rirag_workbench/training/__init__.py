"""Train and fit what search uses: encoders, rerankers, profiles and their models.

Nothing that searches or answers may import it.
"""
