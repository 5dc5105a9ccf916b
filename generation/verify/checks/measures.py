"""What numbers count: units of time, currencies, parts of a hundred, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generation.verify.compare.words import Word

SAME_UNIT = {"calendar day": "day"}
"""Unit → the one that means the same: a rule that says just "days" counts all of them."""

_FORMS: Mapping[str, Mapping[str, str]] = {
    "time": {
        form: unit
        for unit in ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
        for form in (unit, f"{unit}s")
    }
    | {"business day": "business day", **SAME_UNIT}
    | {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
       "yearly": "year", "annual": "year", "annually": "year"},
    "currency": {
        "usd": "usd", "dollar": "usd", "dollars": "usd", "eur": "eur", "euro": "eur",
        "euros": "eur", "gbp": "gbp", "sterling": "gbp", "aed": "aed", "dirham": "aed",
        "dirhams": "aed", "chf": "chf", "jpy": "jpy", "sgd": "sgd", "sar": "sar",
    },
    "share": {"cent": "per cent"},
    "limit": {
        "least": "least", "minimum": "least", "most": "most", "maximum": "most", "up": "most",
    },
}  # fmt: skip
"""Kind of measure → word → what it stands for."""

KINDS = tuple(_FORMS)

TIMES = frozenset(_FORMS["time"])
"""Units of time."""


def measures_in(words: Sequence[Word]) -> dict[str, frozenset[str]]:
    """Return kind of measure → what the words say of it; empty sets where they say nothing."""
    forms = [word.form for word in words]
    return {
        kind: frozenset(meant[form] for form in forms if form in meant)
        for kind, meant in _FORMS.items()
    }
