"""Fine-tune an encoder.

It knows nothing of rerankers and profiles.
"""
