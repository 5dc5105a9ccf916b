"""Fitting what search uses: fusion profiles, and the questions to fit them on."""
