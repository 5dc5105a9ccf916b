"""Training and fitting what search uses: encoders, cross-encoders, profiles and their models."""
