"""What is measured, and how deep, unless somebody asks otherwise; imported without numpy."""

MEASURES = "R@10 AP@10 RR@10 nDCG@10 R@100"
"""Recall and MAP at 10 are those of the ObliQA paper (trec_eval's recall.10 and map_cut.10)."""

DEPTH = 100
"""Passages kept of each question, as TREC runs of passage retrieval usually do."""
