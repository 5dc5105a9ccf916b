"""Models that a profile is fitted with: the learned step and the calibrated relevance."""
