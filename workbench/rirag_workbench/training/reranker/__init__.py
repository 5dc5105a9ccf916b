"""Fine-tune a reranker.

It knows nothing of encoders' training and of profiles.
"""
