"""How lines of a page begin and end, and the lines that are around its rules."""

from __future__ import annotations

import re

GUIDANCE = re.compile(r"guidance(?:\s+notes?)?:?", re.IGNORECASE)
GLOSSARY = re.compile(r"glossary|definitions?|interpretation|defined terms", re.IGNORECASE)
RECITALS = re.compile(
    r".{0,60}\b(?:whereas|considérant|erwägung|considerando|overwegende|considerato).{0,40}",
    re.IGNORECASE,
)
"""What comes before the recitals of an act."""
CLOSING = re.compile(
    r"(?:done|fait|geschehen|ausgefertigt|hecho|fatto|gedaan|feito) \w{1,3} .{2,60}\d{4}\.?",
    re.IGNORECASE,
)
"""The place and day below the last rule; the numbers behind it are those of notes."""
RECITAL = re.compile(r"\((\d{1,3})\)\s+(?=\S)")
INNER = re.compile(r"(?:[^\W\d_a-z][^.;:]{2,120}\.\s+)?(?=\((?:1|a|A|i|I)\)\s+\S)")
AMENDED = re.compile(r"^(F\d{1,4}\[|\[F\d{1,4}) ?(\(\w{1,5}\)|\d{1,4}[A-Z]{0,3}\.?(?=[\s—]|\Z))\s*")
"""The mark of an amendment before a label: `F9[(3A)`, `[F9(3A)`."""
INLINE_TITLE = re.compile(r"([^\W\d_a-z][^.;:]{2,120}\.)[\s—–-]+(?=\((?:1|a|A|i)\)\s)")
"""A title on the line of the first paragraph: `§ 1. Scope. (1) This Act …`."""
