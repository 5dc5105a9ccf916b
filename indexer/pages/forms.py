"""How lines of a page begin and end, and the lines that are around its rules."""

from __future__ import annotations

import re

from search.language import vocabulary

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
ENACTING = re.compile(
    r".{0,200}\b(?:enacts? as follows|be it (?:hereby )?enacted|gesetz beschlossen"
    r"|a adopté la loi)\b.{0,200}",
    re.IGNORECASE,
)
"""Above the first rule; a chapter before it is that of the act in a series."""
RECITAL = re.compile(r"\((\d{1,3})\)\s+(?=\S)")
_CITABLE = vocabulary.units_of("rule", "inner")
CITING = re.compile(
    r"\b(?:in|of|under|to|by|with|from|and|or)\s+"
    rf"{vocabulary.pattern(_CITABLE, 'en', short=False, plural=False)}\Z",
    re.IGNORECASE,
)
CITED = re.compile(r"\(\w{1,5}\)[ ,;](?=\s*[a-z])")
"""How a line ends and the next begins that a break within `subsection (c) with` made of one."""
INNER = re.compile(r"(?:[^\W\d_a-z][^.;:]{2,120}\.\s+)?(?=\((?:1|a|A|i|I)\)\s+\S)")
AMENDED = re.compile(r"^(F\d{1,4}\[|\[F\d{1,4}) ?(\(\w{1,5}\)|\d{1,4}[A-Z]{0,3}\.?(?=[\s—]))\s*")
"""The mark of an amendment before a label: `F9[(3A)`, `[F9(3A)`."""
INLINE_TITLE = re.compile(r"([^\W\d_a-z][^.;:]{2,120}\.)[\s—–-]+(?=\((?:1|a|A|i)\)\s)")
"""A title on the line of the first paragraph: `§ 1. Scope. (1) This Act …`."""
