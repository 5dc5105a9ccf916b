"""Models that a profile is fitted with: learning to rank, and the calibrated relevance.

They see features and scores, and know neither passages nor how they were trained.
"""
