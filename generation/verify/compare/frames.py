"""Sentences of an answer that speak of the answer itself: they need no source."""

from __future__ import annotations

import re

from generation.text.phrases import NOT_INDEXED, NOT_MENTIONED, NOT_QUOTED, NOT_STATED
from generation.verify.compare.folding import folded
from generation.verify.compare.forces import binds
from generation.verify.compare.quotes import quotations

_SILENCE = re.compile(
    r"(?:the|these|none of the|no) (?:cited |given |retrieved |above |numbered )?"
    r"(?:passages?|provisions?|rules?|sources?)(?: (?:given|found|provided|cited|above))?"
    r" (?:(?:do|does|did) not"
    r" (?:say|state|address|specify|mention|cover|define|set out|answer|describe)\b"
    r"|says? nothing\b|leaves?(?: \w+){0,6} open\b|(?:are|is) silent\b)"
)
"""How an answer says that its passages leave something open."""

_FURTHER = re.compile(
    r"[,;:()]|[.!?](?=.)| - |\botherwise\b(?!\.?$)|(?<!such )\bas\b"
    r"|\band(?! (?:who|whom|whose|what|when|where|which|why|how|whether|if)\b)"
    r"|\b(?:but|so|yet|thus|hence|therefore|because|since|while|whereas|although|though|however"
    r"|meaning|leaving)\b"
)
"""Where a further clause may begin, which may claim anything. What is left open may be joined by
"and" where each part is a question of its own: "who pays and when it is due"."""

_DASH = re.compile("[–—―]")
"""Between clauses it may be without blanks, where folded it would be a hyphen."""

_LISTED = re.compile(r"(?: [^\s,.;:]+,)*(?: [^\s,;:]+)\.")
"""Single words in a row: no clause can be made of them that claims something."""


def is_frame(claim: str) -> bool:
    """Return whether a sentence only says what the passages lack.

    Args:
        claim: a sentence that cites nothing.
    """
    if claim in (NOT_STATED["example"], NOT_STATED["form"]):
        return True
    if claim.startswith(NOT_QUOTED):
        rules = claim.removeprefix(NOT_QUOTED).rstrip(".").split(", ")
        return not binds(folded(claim)) and all(map(_is_numbered, rules))
    text = folded(_DASH.sub(" - ", claim))
    if binds(text):
        return False
    for start in (NOT_MENTIONED, NOT_INDEXED):
        if claim.startswith(start):
            return _LISTED.fullmatch(claim.removeprefix(start)) is not None
    return not (any(map(str.isdigit, text)) or quotations(claim)) and _is_silence(text)


def _is_silence(text: str) -> bool:
    found = _SILENCE.match(text)
    return found is not None and not _FURTHER.search(text, found.end())


def _is_numbered(rule: str) -> bool:
    """Return whether a name and what can be the number of a rule are all: `GEN 3.5.8`, `COBS I`."""
    named, _, number = rule.strip().rpartition(" ")
    if number.startswith("(") or not (named[:1].isupper() or named in ("", "paragraph")):
        return False
    return any(char.isdigit() or char.isupper() for char in number)
