"""American laws cited by a number: titles of codes (`18 USC`, `17 C.F.R.`), and public laws."""

from __future__ import annotations

import re

_SHORT_NAMES = {"united states code": "USC", "code of federal regulations": "CFR"}
_CFR = r"C\.?\s?F\.?\s?R\.?"
_SHORT = rf"(?P<code>U\.?\s?S\.?\s?C\.?(?:\s?A\.?)?|{_CFR})"
_TITLE = re.compile(r"\bTitle (\d{1,2})\b", re.IGNORECASE)

SHORT_NAMES = frozenset(_SHORT_NAMES.values())

TITLE = re.compile(rf"(?<![\w.,/-])(?P<number>\d{{1,2}})\s?{_SHORT}(?!\w)")
"""Also `18 U.S.C.A.`, the annotated code."""


PUBLIC_LAW = re.compile(
    r"\b(?:Public Law|Pub\. ?L\.|P\. ?L\.|PL)\s*(?:No\.\s?)?"
    r"(?P<congress>\d{2,3})\s?[-–]\s?(?P<law>\d{1,4})\b",
    re.IGNORECASE,
)
"""`Public Law 104–191`, `Pub. L. No. 104-191`."""


def public_law(found: re.Match[str]) -> str:
    """Return what `PUBLIC_LAW` found in one form: `PUBLIC LAW 104-191`."""
    return f"PUBLIC LAW {found['congress']}-{found['law']}"


def written_alike(title: re.Match[str]) -> str:
    """Return what `TITLE` found in one form: `18 USC` for `18 U. S. C. A.`."""
    return f"{title['number']} {re.sub(r'[^A-Z]', '', title['code'])[:3]}"


def short_names(title: str) -> list[str]:
    """Return what the title of a document is called: 1 USC for *United States Code, Title 1*, and
    PUBLIC LAW 104-191 for a title with that number.
    """
    laws = list(map(public_law, PUBLIC_LAW.finditer(title)))
    number = _TITLE.search(title)
    codes = [short for name, short in _SHORT_NAMES.items() if name in title.casefold()]
    return laws + ([f"{number[1]} {short}" for short in codes] if number else [])
