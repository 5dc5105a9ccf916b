"""Which states a text is about, by their names, their people, their authorities and their laws.

`jurisdictions.toml` lists them by code. What it does not list is not recognised.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from search.language import vocabulary
from search.text.characters import LETTERS

FILE = Path(__file__).with_name("jurisdictions.toml")

EU = "EU"

_OTHER_CODES = {"GB": "UK", "EL": "GR", "GOV": "US"}
"""Codes of ISO 3166, of the European Union and of domains for what has another one here."""
_CODE = re.compile(r"[A-Z]{2}(?:-[A-Z\d]{1,3})?")
"""How ISO 3166 writes the code of a state, or of a part of one; it may be unlisted."""

_FIELDS = ("country", "country_code", "region")
_ADDRESSES = ("eli", "source", "source_url", "uri", "url", "url_source")
"""Fields of metadata with the state of a document, and with the address it is published at."""
_HOST = re.compile(r"https?://[^/?#\s:]*\.(?P<domain>[a-z]{2}|gov)(?=[/?#:]|$)", re.IGNORECASE)

_IN_ACTS = re.compile(r"\bUnion (?!of\b)")
"""How acts of the European Union name it."""
_CURRENCY = f"(?i:{vocabulary.any_of('money.of_states', vocabulary.COMMON)})"

LEAST_PASSAGES, LEAST_PART = 2, 0.004
"""Passages of a document that name the state whose law it is, at least; and their part of all."""
AHEAD = 2.0
"""Times as many name it as any other state."""
OF_THE_UNION = 0.2
"""A document in which a state outside the European Union is named less than this part as often as
the Union is law of the Union."""
MOST_OWN = 0.05
"""Part of the passages that speak of "us" or "you" from which on a document is nobody's law."""
_OWN_WORDS = {*(own := vocabulary.words("asked.own")), *map(str.capitalize, own)} - {"Us"}
_OWN = re.compile(rf"\b{vocabulary.alternatives(_OWN_WORDS)}\b")
_POLICIES = frozenset(vocabulary.words("documents.own", "en"))
_LAWS = frozenset(vocabulary.words("law_names.small", "en"))
"""Words of the title of what a firm writes for itself, and those without which it is one."""


class _Forms(NamedTuple):
    pattern: re.Pattern[str]
    states: Mapping[str, str]
    """Form → code."""
    names: Mapping[str, str]
    """Code → name for messages."""
    places: frozenset[str]
    """Forms that name the state, its language or its people."""
    cities: Mapping[str, str]
    """City → code."""
    city: re.Pattern[str]


@cache
def _data() -> tuple[dict[str, Any], dict[str, str]]:
    """Return the states by code, and the codes of two letters by those of three."""
    states = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return states, states.pop("alpha_3")


@cache
def members() -> frozenset[str]:
    """Return the states in which the law of the European Union is law."""
    return frozenset(_data()[0][EU]["members"])


def states_in(text: str) -> dict[str, str]:
    """Return the code of each state that a text is about, and its name.

    A currency is none: `Swiss francs` are paid everywhere.
    """
    forms = _forms()
    found = dict.fromkeys(forms.states[form[0]] for form in forms.pattern.finditer(text))
    return {state: forms.names[state] for state in found}


def state_of(jurisdiction: object) -> str:
    """Return the code of the state that a document's `jurisdiction` means; empty: of none.

    Args:
        jurisdiction: a code of two or three letters in any case, the name of a state, or an address
            that ends in one of them.
    """
    if not isinstance(jurisdiction, str):
        return ""
    jurisdiction = jurisdiction.rpartition("/")[2].strip()
    code = jurisdiction.upper()
    code = _OTHER_CODES.get(code) or _data()[1].get(code, code)
    if _CODE.fullmatch(code):
        return code
    found = states_in(jurisdiction)
    return next(iter(found)) if len(found) == 1 else ""


def stated_law(metadata: Mapping[str, Any], *, is_own: bool = False) -> str:
    """Return the code of the state whose law a document is, as its source says; empty: it does not.

    Args:
        metadata: of the document.
        is_own: whether a firm wrote it: the address that it is published at says nothing then.
    """
    if metadata.get("jurisdiction"):
        return state_of(metadata["jurisdiction"])
    stated = (state_of(metadata.get(name)) for name in _FIELDS)
    hosts = (_HOST.match(str(metadata.get(name, ""))) for name in _ADDRESSES if not is_own)
    published = (state_of(host["domain"]) for host in hosts if host)
    return next(filter(None, (*stated, *published)), "")


def named_states(codes: Iterable[str]) -> dict[str, str]:
    """Return code → name and code, as people choose one, for those of the codes that are listed."""
    names = {code: name.removeprefix("the ") for code, name in _forms().names.items()}
    known = [code for code in codes if code in names]
    return {code: code if names[code] == code else f"{names[code]} ({code})" for code in known}


def is_law_of(state: str, other: str) -> bool:
    """Return whether the law of a state is law in another one, or in a part of it.

    Federal law is law in each part of the state, and what a part has made may answer who asks for
    the law of the whole; the law of the European Union is law in its members.
    """
    if EU in (state, other):
        return state == other or not members().isdisjoint({state, other})
    return state == other or state.startswith(f"{other}-") or other.startswith(f"{state}-")


def names_place(word: str) -> bool:
    """Return whether a word in capitals is the name of a state, of a part or of a union: `UAE`."""
    return word.isupper() and word in _forms().places


def places_in(question: str) -> list[tuple[int, int, str]]:
    """Return where a text names states, their people or cities: start, end and code of each.

    They are in the order of the text. A city of a part of a state is named twice, since the law of
    both may be meant.
    """
    forms = _forms()
    found = [
        (one.start(), one.end(), forms.states[one[0]])
        for one in forms.pattern.finditer(question)
        if one[0] in forms.places
    ]
    for one in forms.city.finditer(question):
        part = forms.cities[one[0]]
        found += [(*one.span(), state) for state in dict.fromkeys((part, part.partition("-")[0]))]
    return sorted(found, key=lambda place: place[0])


def speaks_of_us(text: str) -> bool:
    """Return whether a text says "we", "our" or "you": who asks so asks about the own affairs."""
    return _OWN.search(text) is not None


def is_own_document(title: str, texts: Sequence[str]) -> bool:
    """Return whether a firm wrote a document: it is called a policy, or speaks of "us" and "you".

    It names states for other reasons than being their law.
    """
    words = set(LETTERS.findall(title.casefold()))
    is_policy = bool(words & _POLICIES) and not words & _LAWS  # "Code of Civil Procedure"
    return is_policy or sum(map(speaks_of_us, texts)) > MOST_OWN * len(texts)


def law_of(title: str, texts: Sequence[str]) -> str:
    """Guess the code of the state whose law a document is; empty: of none, or it is not known.

    Its title names it, or its passages name one state far more often than others. Where the
    European Union is named as well, the law of a member is the member's.

    Args:
        title: of the document.
        texts: of its passages.
    """
    titled = {state for _, _, state in places_in(title)}
    if len(titled) == 1:
        return titled.pop()
    parts = shares_of_states(texts)
    union = parts.pop(EU, 0.0)
    least = max(LEAST_PART, LEAST_PASSAGES / max(len(texts), 1))
    best = max(parts, key=lambda one: parts[one], default="")
    own = [one for one in parts if one.startswith(f"{best}-") and parts[one] >= parts[best] / AHEAD]
    best = max(own, key=lambda one: parts[one], default=best)
    others = [part for one, part in parts.items() if not is_law_of(one, best)]
    is_ahead = bool(best) and parts[best] >= max(least, AHEAD * max(others, default=0.0))
    if is_ahead and (best in members() or parts[best] >= OF_THE_UNION * union):
        return best
    return EU if union >= max(least, parts.get(best, 0.0)) else ""


def without_state(law: str) -> str:
    """Return the name of a law without a state before it."""
    forms = _forms()
    first = forms.pattern.match(law)
    return law[first.end() :].strip() if first and first[0] in forms.places else law


def shares_of_states(texts: Sequence[str]) -> dict[str, float]:
    """Return the part of the texts that is about each state."""
    count: Counter[str] = Counter()
    for text in texts:
        count.update({*states_in(text), *([EU] if _IN_ACTS.search(text) else [])})
    return {state: found / len(texts) for state, found in count.items()}


def _is_capitals(form: str) -> bool:
    return form.isupper() and form.isascii() and form.replace(".", "").isalnum()


@cache
def _forms() -> _Forms:
    data, _ = _data()
    states = {
        form: state
        for state, entry in data.items()
        for form in (*entry["names"], *entry.get("bodies", ()))
    }
    forms = sorted(states, key=len, reverse=True)
    # Behind names that are no mere capitals an ending may follow: `Germans`, `deutsche`.
    whole = "|".join(re.escape(form) for form in forms if _is_capitals(form))
    others = "|".join(re.escape(form) for form in forms if not _is_capitals(form))
    pattern = rf"(?<!\w)(?:(?:{whole})(?!\w)|(?:{others}))(?![\w-]*[ -]{_CURRENCY}\b)"
    names = {state: entry.get("called", entry["names"][0]) for state, entry in data.items()}
    places = frozenset(form for entry in data.values() for form in entry["names"])
    cities = {city: state for state, one in data.items() for city in one.get("cities", ())}
    city = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, cities))})(?!\w)")
    return _Forms(re.compile(pattern), states, names, places, cities, city)
