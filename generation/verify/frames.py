"""Sentences of an answer that speak of the answer itself: they need no source."""

from __future__ import annotations

import re

from generation.extract.wording import NO_DUTY, NOT_QUOTED
from generation.verify.folding import folded
from generation.verify.forces import binds
from generation.verify.quotes import quotations

_SILENCE = re.compile(
    r"(?:the|these|none of the|no) (?:cited |given |retrieved |above |numbered )?"
    r"(?:passages?|provisions?|rules?|sources?)(?: (?:given|found|provided|cited|above))?"
    r" (?:(?:do|does|did) not"
    r" (?:say|state|address|specify|mention|cover|define|set out|answer|describe)\b"
    r"|says? nothing\b|leaves?(?: \w+){0,6} open\b|(?:are|is) silent\b)"
)
"""How an answer says that its passages leave something open."""


def is_frame(claim: str) -> bool:
    """Tell whether a sentence only introduces, counts what was left out, or reports silence."""
    if claim == NO_DUTY:
        return True
    text = folded(claim)
    binding = binds(text)
    if claim.startswith(NOT_QUOTED):
        return not binding
    plain = not (binding or any(map(str.isdigit, text)) or quotations(claim))
    return plain and bool(_SILENCE.match(text))
