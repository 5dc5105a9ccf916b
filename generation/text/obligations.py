"""Find by its wording what a statement does: oblige, forbid, expect, permit, define.

The rule is the drafting convention of English-language regulators: duties are carried by modal
verbs and a few fixed phrases. It needs no model, is the same tomorrow, and a reader can check it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

StatementKind = Literal[
    "prohibition", "obligation", "expectation", "permission", "definition", "other"
]

DUTIES: frozenset[StatementKind] = frozenset({"prohibition", "obligation", "expectation"})
"""What an answer must not leave out; guidance says "should" and "expects" for a rule's "must"."""

_ACTS = (
    r"(?:promptly |immediately |forthwith )?(?:notify|inform|report|register|submit|disclose|file|"
    r"deliver|retain|keep|maintain|pay)\b"
)
"""What is demanded without a modal verb: other verbs behind "is to" and "will" mostly tell what
a rule aims at, or what comes of it."""
_IS_TO = (
    r"(?:^|[.;:,)] )(?!(?:[\w’'-]+ ){0,4}?(?:purpose|aim|objective|goal|effect|intent\w*|approach|"
    rf"method|role|function|question|whether|this)\b)(?:[\w’'-]+ ){{1,12}}?(?:is|are) to {_ACTS}"
)
_WILL = (
    r"(?<!regulator )(?<!authority )(?<!commission )(?<!fsra )(?<!we )\bwill "
    rf"{_ACTS}"
)
"""What the regulator itself will do is not a duty of anybody."""

_PATTERNS: Mapping[StatementKind, re.Pattern[str]] = {
    "prohibition": re.compile(
        r"\b(?:must|shall|may|should) (?:not|never|neither)\b|\bcannot\b|\bprohibit(?:s|ed|ion)\b"
        r"|\b(?:is|are) (?:not|never) (?:permitted|allowed|entitled)\b"
        r"|\bno (?:person|one|\w+ \w+|\w+) (?:may|shall|must|should)\b|\bmay only\b|\bunlawful\b"
        r"|\b(?:commits|guilty of) an offence\b|\bin contravention of\b"
        r"|\b(?:is|are|commits|constitutes?) a contravention of\b"
        r"|\b(?:is|are|becomes?) liable (?:to|on) [^.;:]{0,60}?"
        r"\b(?:fines?|penalt\w+|imprisonment)\b",
        re.IGNORECASE,
    ),
    "obligation": re.compile(
        r"\bmust\b|\bshall\b|(?<!not )\b(?:required|obliged|obligated) to\b|\b(?:has|have|had) to\b"
        r"|\bneeds? to\b|(?<!not )\b(?:is|are) required\b|\brequirements? (?:to|that)\b"
        r"|(?:^|[.;:] |\) )ensur(?:e|ing)\b|\b(?:is|are|remains?) responsible for\b"
        r"|\bunder (?:a|the|an) (?:duty|obligation)\b|\bis (?:a )?mandatory\b|\brequires? \w+"
        r"|\bhas (?:a|an|the) (?:duty|obligation) to\b|(?<!not )\bhave a duty to\b"
        rf"|{_IS_TO}|{_WILL}",
        re.IGNORECASE,
    ),
    "expectation": re.compile(
        r"\bshould\b|\bexpect(?:s|ed|ation|ations)?\b|\bought to\b|\bencourage[sd]?\b"
        r"|\brecommend(?:s|ed|ation)?\b|\bbest practice\b|\badvisable\b",
        re.IGNORECASE,
    ),
    "definition": re.compile(
        r"\bmeans?\b(?! of| to| by| for)|\bhas the (?:same )?meaning\b|\b(?:is|are) defined\b"
        r"|\brefers? to\b|\bthe meaning of\b|\bincludes?\b(?=—|:|–)",
        re.IGNORECASE,
    ),
    "permission": re.compile(
        r"\bmay\b|\bentitled to\b|\b(?:is|are) permitted\b|\bright to\b|\bneed not\b|\bexempt\b"
        r"|\bnot (?:required|obliged|liable) to\b|\bnot (?:be liable|incur)\b"
        r"|\bdo(?:es)? not apply\b|\bcan\b",
        re.IGNORECASE,
    ),
}
"""In the order of precedence: a statement that both permits and forbids is a prohibition."""

_DEFINED_TERM = re.compile(r"^\W*(?:\([\w]+\)\s*)?[\"“‘']?[A-Z][^.:;]{0,80}?[\"”’']? means\b")


def kind_of(text: str) -> StatementKind:
    """Return what a statement does. `"X" means …` is a definition whatever it holds besides."""
    if _DEFINED_TERM.match(text):
        return "definition"
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(text)), "other")
