"""Finds what passages oblige to: clauses, obligations, relevance, selection, wording."""
