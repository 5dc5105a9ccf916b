"""Sentences that mean nothing without the one before them, or that change what it means."""

from __future__ import annotations

import re

from search.language import vocabulary

_TAKES_BACK = re.compile(
    "|".join(
        vocabulary.forms("sentences.takes_back", code).replace(
            "UNIT", vocabulary.pattern(vocabulary.units_of("rule", "inner"), code, short=False)
        )
        for code in ("en", "de", "fr")
    ),
    re.IGNORECASE,
)
_LEANS = re.compile(vocabulary.forms("sentences.leans"))


def takes_back(sentence: str) -> bool:
    """Return whether a sentence makes an exception from what comes before it."""
    return _TAKES_BACK.match(sentence) is not None


def leans_back(sentence: str) -> bool:
    """Return whether a sentence speaks of what the one before it names (`Such activities …`)."""
    return _LEANS.match(sentence) is not None
