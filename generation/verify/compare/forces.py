"""What a wording binds to: duty, ban, leave, advice; told by modal verbs and fixed phrases.

English only: a text in another language has no force that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from generation.verify.compare.words import BARE_MAY

Force = Literal["duty", "ban", "release", "advice against", "advice", "leave"]

_NOT = r"(?:not|never|neither|in no (?:case|circumstances))"
_MONTH = re.compile(
    rf"(?<=\d )(?:{BARE_MAY}|may(?= \d{{4}}\b))|(?<=\b(?:in|of|by) )may\b(?! (?:not|be)\b)"
)
"""May as a month: "31 May each year", "by May"."""
_UNABLE = re.compile(r"(\b(?:if|where) [^,;.]{0,60}?)\bcannot\b")
"""A case and no ban: "if due diligence cannot be completed"."""
_BOUND = r"(?:required|obliged|obligated|bound|compelled)"
_FREE = r"(?:permitted|allowed|entitled|authori[sz]ed(?! (?:person|firm|individual)s?\b)|eligible)"
_FORMS: Mapping[Force, str] = {
    "release": (
        rf"needs? not\b|(?:do|does|did) not (?:have|need)\b|(?:not|never|nor) {_BOUND}"
        rf"|without being {_BOUND}|no (?:duty|obligation|requirement)\b"
    ),
    "ban": (
        rf"(?:must|shall|may|can|will) {_NOT}\b|cannot|(?:mustn|can|shan)'t\b|not {_FREE}\b"
        r"|prohibit(?:s|ed|ion|ions|ing)?\b|forb(?:id|ids|idden|ade)\b|unlawful\b"
        r"|(?:no|neither|nor|none of) (?:\w+ ){1,4}?(?:may|shall|must|can)\b"
    ),
    "advice against": rf"(?:should|ought) {_NOT}\b|shouldn't\b",
    "duty": (
        rf"must\b|shall\b|{_BOUND}\b|(?:has|have|had|having) to\b|needs? to\b|requires?\b"
        r"|(?:requirement|duty|obligation) to\b|mandatory\b|responsible for\b"
    ),
    "advice": (
        r"should\b|ought to\b|expect(?:s|ed|ation|ations)?\b|recommendations?\b"
        r"|(?:is|are|we) recommend(?:ed)?\b|recommend(?:s|ed)? that\b"
        r"|encourage[sd]?\b|advis(?:ed|able)\b"
    ),
    "leave": rf"may\b|can\b|might\b|could\b|{_FREE}\b|right to\b|at its discretion\b|exempt\b",
}
"""In the order in which they are tried at one place: "must not" before "must"."""

_ANY = re.compile(
    "|".join(f"(?P<f{place}>\\b(?:{form}))" for place, form in enumerate(_FORMS.values()))
)
_NAMES = tuple(_FORMS)
_BINDING = re.compile(
    r"\b(?:must|shall|should|may|can|cannot|required|obliged|prohibited|permitted|allowed|entitled)\b"
)

NEGATIONS = frozenset({
    "not", "no", "never", "neither", "nor", "without", "unless", "except", "nothing", "none",
    "nobody",
})  # fmt: skip
"""Words that turn a statement round, or open an exception."""

EXCEPTIONS = frozenset({"except", "unless"})
"""Negations that open an exception: another thing than `not`."""

OPPOSITES: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            ("least", "most"), ("more", "less"), ("more", "fewer"), ("before", "after"),
            ("minimum", "maximum"), ("above", "below"), ("higher", "lower"), ("over", "under"),
            ("increase", "decrease"), ("all", "none"), ("earlier", "later"),
            ("greater", "less"), ("prior", "after"), ("always", "never"), ("includes", "excludes"),
            ("including", "excluding"), ("permitted", "prohibited"), ("allowed", "prohibited"),
            ("lawful", "unlawful"), ("sufficient", "insufficient"), ("exceed", "below"),
            ("orally", "writing"), ("oral", "written"),
        ),
    )
)  # fmt: skip
"""Pairs of words of which one must not take the other's place."""


def forces_in(text: str) -> list[tuple[Force, str]]:
    """Return every force of a folded text, in order, with the words that carry it."""
    text = _forceful(text)
    return [(_NAMES[int(str(m.lastgroup)[1:])], m[0]) for m in _ANY.finditer(text)]


def binds(text: str) -> bool:
    """Return whether a folded text has a word that obliges, forbids or permits."""
    return _BINDING.search(_forceful(text)) is not None


def _forceful(text: str) -> str:
    """Return a folded text without words that only look like those of a force."""
    return _UNABLE.sub(r"\1...", _MONTH.sub("...", text))


def is_carried(said: Force, source: Iterable[Force]) -> bool:
    """Return whether a source with these forces can carry what is said.

    What the source only advises is not a duty, and what it demands is not mere advice.
    """
    there = set(source)
    if said in there:
        return True
    # "may only … if" and "is not permitted unless" demand and allow in one breath.
    return said in ("release", "leave") and bool(there & {"release", "leave"})
