"""Models that a profile is fitted with: the learned last step and the calibrated relevance."""
