"""RePASs (RIRAG, section 5), computed as its reference implementation does, with models by name.

It knows texts and probabilities only: neither questions, nor how an answer was made.
"""
