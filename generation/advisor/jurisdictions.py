"""Jurisdictions by the family of law that their financial regulation belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

Regime = Literal["common law", "civil law"]
REGIMES: tuple[Regime, ...] = get_args(Regime)

JURISDICTIONS: Mapping[Regime, tuple[str, ...]] = {
    "common law": (
        "adgm", "abu dhabi global market", "difc", "dubai international financial centre",
        "aifc", "astana international financial centre", "qatar financial centre",
        "england", "england and wales", "english law", "united kingdom", "uk", "great britain",
        "ireland", "united states", "usa", "us", "australia", "new zealand", "canada",
        "singapore", "hong kong", "india", "malaysia", "cayman islands", "bermuda", "jersey",
        "guernsey",
    ),
    "civil law": (
        "eu", "eu law", "european union", "european parliament", "eea", "austria", "belgium",
        "czechia", "denmark", "finland", "france", "french law", "germany", "german law", "greece",
        "hungary", "italy", "italian law", "luxembourg", "netherlands", "dutch law", "norway",
        "poland", "portugal", "romania", "spain", "spanish law", "sweden", "switzerland",
        "swiss law", "turkey", "japan", "south korea", "china", "taiwan", "brazil", "mexico",
        "argentina", "chile", "united arab emirates", "uae", "qatar", "egypt", "quebec",
        "louisiana",
    ),
}  # fmt: skip
"""Names in lower case. The families are those of comparative law (JuriGlobe, University of Ottawa,
sorts states alike). A financial free zone differs from the state around it, so the longest name
that fits a text counts."""

_ABBREVIATIONS = frozenset({"eu", "eea", "uk", "us", "usa", "uae"})
"""In running text they count only in capitals: "us" is a word, "US" a country."""


def named_jurisdiction(text: str, *, running: bool = True) -> tuple[str, Regime] | None:
    """Return the longest jurisdiction that a text names, and its regime; None for none.

    Args:
        text: a title, a question, or the value of a field.
        running: whether it is text, in which abbreviations are in capitals.
    """
    words = re.findall(r"[^\W_]+", text)
    exact, folded = f" {' '.join(words)} ", f" {' '.join(words).casefold()} "
    found = [
        (name, regime)
        for regime, names in JURISDICTIONS.items()
        for name in names
        if f" {name} " in folded
        and not (running and name in _ABBREVIATIONS and f" {name.upper()} " not in exact)
    ]
    return max(found, key=lambda one: len(one[0]), default=None)
