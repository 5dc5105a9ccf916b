"""Training and fitting what search uses: encoders, rerankers, profiles and their models."""
