"""The models that search uses unless others are named; all ship with rirag.

They need neither torch nor a network. How they were made: docs/training.md.
"""

from __future__ import annotations

DEFAULT_ENCODER = "regulation-minilm-l6-int8"
"""Of an index that is made without naming an encoder."""

DEFAULT_RERANKER = "regulation-minilm-l3-reranker-int8"
"""The reranker that ships. None is used unless it is named: it takes longer than all the rest,
and on rulebooks that it was not trained on it costs quality (docs/encoders.md)."""

DEFAULT_CROSS_ENCODER = "regulation-minilm-l3-judge-int8"
"""The verifier asks it: from this one the reranker was made, whose logits have no border at 0."""
