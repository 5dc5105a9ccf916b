"""Turn the blocks of a formatted document into numbered passages.

It knows no format, and no index.
"""

from indexer.structuring.outline.document import FEWEST_WORDS, PREAMBLE, WHOLE, Outline, outline
from indexer.structuring.outline.passages import OutlinePassage

__all__ = ["FEWEST_WORDS", "PREAMBLE", "WHOLE", "Outline", "OutlinePassage", "outline"]
