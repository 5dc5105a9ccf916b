"""Which states a text is about, by their names, their people, their authorities and their laws.

`jurisdictions.toml` lists them. What it does not list is not recognised.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("jurisdictions.toml")

UNION = "eu"

_WHOLE = re.compile(r"[A-Z\d.]+")
"""Names without endings; behind others an ending may follow: `Germans`, `deutsche`."""
_IN_ACTS = re.compile(r"\bUnion (?!of\b)")
"""How acts of the European Union name it."""
_CURRENCY = (
    r"(?:[Dd]ollars?|[Ff]rancs?|[Pp]ounds?|[Kk]ron[aeo]r?|[Rr]upees?|[Yy]en|[Ww]on|[Pp]esos?)"
)


class _Forms(NamedTuple):
    pattern: re.Pattern[str]
    states: Mapping[str, str]
    """Form → key."""
    names: Mapping[str, str]
    """Key → name for messages."""
    places: frozenset[str]
    """Forms that name the state, its language or its people."""


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def members() -> frozenset[str]:
    """Return the states in which the law of the European Union is law."""
    return frozenset(_data()[UNION]["members"])


def states_in(text: str) -> dict[str, str]:
    """Return the key of each state that a text is about, and its name.

    A currency is none: `Swiss francs` are paid everywhere.
    """
    forms = _forms()
    found = dict.fromkeys(forms.states[form[0]] for form in forms.pattern.finditer(text))
    return {state: forms.names[state] for state in found}


def without_state(law: str) -> str:
    """Return the name of a law without a state before it."""
    forms = _forms()
    first = forms.pattern.match(law)
    return law[first.end() :].strip() if first and first[0] in forms.places else law


def shares_of_states(texts: Iterable[str]) -> dict[str, float]:
    """Return the part of the texts that is about each state."""
    count: Counter[str] = Counter()
    number = 0
    for number, text in enumerate(texts, start=1):  # noqa: B007 - it is the number of texts
        count.update({*states_in(text), *([UNION] if _IN_ACTS.search(text) else [])})
    return {state: found / number for state, found in count.items()}


@cache
def _forms() -> _Forms:
    data = _data()
    states = {
        form: state
        for state, entry in data.items()
        for form in (*entry["names"], *entry.get("bodies", ()))
    }
    forms = sorted(states, key=len, reverse=True)
    whole = "|".join(re.escape(form) for form in forms if _WHOLE.fullmatch(form))
    others = "|".join(re.escape(form) for form in forms if not _WHOLE.fullmatch(form))
    pattern = rf"(?<!\w)(?:(?:{whole})(?!\w)|(?:{others}))(?![\w-]*[ -]{_CURRENCY}\b)"
    names = {state: entry.get("called", entry["names"][0]) for state, entry in data.items()}
    places = frozenset(form for entry in data.values() for form in entry["names"])
    return _Forms(re.compile(pattern), states, names, places)
