"""Find by its wording what a statement does: oblige, forbid, expect, permit, define.

The rule is the drafting convention of English-language regulators: duties are carried by modal
verbs and a few fixed phrases. It needs no model, is the same tomorrow, and a reader can check it. A
text in another language has no force that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from generation.statements.markers import find_marker
from generation.statements.values import PATTERNS
from generation.statements.words import BARE_MAY
from search.language import vocabulary
from search.text.analyzer import term_set

StatementKind = Literal[
    "prohibition", "obligation", "expectation", "permission", "definition", "other"
]

DUTIES: frozenset[StatementKind] = frozenset({"prohibition", "obligation", "expectation"})
"""What an answer must not leave out; guidance says "should" and "expects" for a rule's "must"."""

_KINDS: tuple[StatementKind, ...] = (
    "prohibition", "obligation", "expectation", "definition", "permission",
)  # fmt: skip
_PATTERNS: Mapping[StatementKind, re.Pattern[str]] = {
    kind: re.compile(vocabulary.forms(f"statements.{kind}", "en"), re.IGNORECASE) for kind in _KINDS
}
"""In the order of precedence: a statement that both permits and forbids is a prohibition."""

_DEFINED_TERM = re.compile(r"^\W*(?:\([\w]+\)\s*)?[\"“‘']?[A-Z][^.:;]{0,80}?[\"”’']? means\b")

Force = Literal["duty", "ban", "release", "advice against", "advice", "leave"]

_MONTH = re.compile(
    rf"(?<=\d )(?:{BARE_MAY}|may(?= \d{{4}}\b))|(?<=\b(?:in|of|by) )may\b(?! (?:not|be)\b)"
)
"""May as a month: "31 May each year", "by May"."""
_BINDS = re.compile(rf"\b(?P<duty>{vocabulary.forms('duties.verbs')})\b")
"""The words behind whoever is bound."""
_AHEAD = re.compile(rf"^(?:{vocabulary.forms('duties.ahead', 'en')}\b[^,]*,\s+)+", re.IGNORECASE)
"""What may stand before whoever is bound: conditions and times."""

MOST_ACTOR_WORDS = 20

_UNABLE = re.compile(vocabulary.forms("forces.unable", "en"))
_NAMES: tuple[Force, ...] = ("release", "ban", "advice against", "duty", "advice", "leave")
"""In the order in which they are tried at one place: "must not" before "must"."""
_ANY = {
    code: re.compile(
        "|".join(
            rf"(?P<f{place}>\b{vocabulary.forms(f'forces.{name.replace(chr(32), chr(95))}', code)})"
            for place, name in enumerate(_NAMES)
        )
    )
    for code in ("en", "de", "fr")
}

NEGATIONS = frozenset(vocabulary.words("forces.negations", "en"))
"""Words that turn a statement round, or open an exception."""

EXCEPTIONS = frozenset({"except", "unless"})
"""Negations that open an exception: another thing than `not`."""

_FORCE_TERMS = term_set(" ".join(vocabulary.words("forces.compared", "en")))

OPPOSITES = tuple(frozenset(pair.split()) for pair in vocabulary.words("forces.opposites", "en"))
"""Pairs of words of which one must not take the other's place."""


def forces_in(text: str, language: str = "en") -> list[tuple[Force, str]]:
    """Return every force of a folded text, in order, with the words that carry it.

    Args:
        language: of the text; those of a language without words for them are English.
    """
    text = _UNABLE.sub(r"\1...", _MONTH.sub("...", text))  # what only looks like a force
    return [
        (_NAMES[int(str(m.lastgroup)[1:])], m[0])
        for m in _ANY.get(language, _ANY["en"]).finditer(text)
    ]


def content_terms(text: str) -> frozenset[str]:
    """Return the index terms of a text but words of obligation, compared by what they bind to."""
    return term_set(text) - _FORCE_TERMS


def is_carried(said: Force, source: Iterable[Force]) -> bool:
    """Return whether a source with these forces can carry what is said.

    What the source only advises is not a duty, and what it demands is not mere advice.
    """
    there = set(source)
    if said in there:
        return True
    # "may only … if" and "is not permitted unless" demand and allow in one breath.
    return said in ("release", "leave") and bool(there & {"release", "leave"})


def kind_of(text: str) -> StatementKind:
    """Return what a statement does. `"X" means …` is a definition whatever it holds besides."""
    if _DEFINED_TERM.match(text):
        return "definition"
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(text)), "other")


class Duty(NamedTuple):
    """Parts of a statement, in its own words; what cannot be told is empty."""

    actor: str = ""
    duty: str = ""
    """The modal words, such as `must not`."""
    act: str = ""
    time: str = ""


def duty_of(text: str) -> Duty:
    """Return the parts of a statement: the words before its first modal verb, those behind it."""
    marker = find_marker(text)
    text = text[marker.end :] if marker else text
    found, time = _BINDS.search(text), PATTERNS["time"].search(text)
    when = time[0] if time else ""
    if not found:
        return Duty(time=when)
    actor = _AHEAD.sub("", text[: found.start()]).strip(" ,")
    if len(actor.split()) > MOST_ACTOR_WORDS:
        actor = ""
    act = re.split(r"(?<=[.;:])\s", text[found.end() :].strip(), maxsplit=1)[0]
    return Duty(actor, found["duty"], act.strip(" .;:"), when)
