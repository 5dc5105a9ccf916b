"""Load the models of search (encoders, rerankers, entailment) and the weights that ship.

They take text and return numbers; they know nothing of passages, engines or questions.
"""
