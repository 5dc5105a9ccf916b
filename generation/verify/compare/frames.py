"""Sentences of an answer that speak of the answer itself: they need no source."""

from __future__ import annotations

import re

from generation.extract.wording import NO_DUTY, NOT_QUOTED, PARTS_NOT_QUOTED
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
"""Between clauses it may stand without blanks, where folded it would be a hyphen."""

_COUNT = re.compile(r" \(\d{1,4}(?: dut(?:y|ies)| statements?)?\)(?:, | and |\.$)")
_PASSAGES = re.compile(r"\d{1,4} passages\.")


def is_frame(claim: str) -> bool:
    """Tell whether a sentence only says what the passages lack, or counts what was left out.

    Args:
        claim: a sentence that cites nothing.
    """
    if claim == NO_DUTY:
        return True
    text = folded(_DASH.sub(" - ", claim))
    if binds(text):
        return False
    for start in (NOT_QUOTED, PARTS_NOT_QUOTED):
        if claim.startswith(start):
            return _only_counts(claim.removeprefix(start).strip())
    return not (any(map(str.isdigit, text)) or quotations(claim)) and _is_silence(text)


def _is_silence(text: str) -> bool:
    found = _SILENCE.match(text)
    return found is not None and not _FURTHER.search(text, found.end())


def _only_counts(listed: str) -> bool:
    """Tell whether rules are listed as the extractive mode does: `GEN 1 (1 duty).`"""
    if _PASSAGES.fullmatch(listed):
        return True
    *rules, rest = _COUNT.split(listed)
    return bool(rules) and not rest and all(map(_is_numbered, rules))


def _is_numbered(rule: str) -> bool:
    """Tell whether a name ends in what can be the number of a rule: `3.5.8`, `I`, `5a`."""
    _, _, number = rule.rpartition(" ")
    return any(char.isdigit() or char.isupper() for char in number)
