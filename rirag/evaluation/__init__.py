"""How well does the search work? Questions with known answers, runs, measures, reports."""
