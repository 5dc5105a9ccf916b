"""Finds a duty that a statement puts on another party than its passage does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generation.verification import Finding
from generation.verify.compare.sources import Window
from search.language import vocabulary
from search.text.analyzer import FUNCTION_WORDS, term_set, tokens

_WORD = re.compile(r"[^\W\d_]+")
_ANY = _WORD.pattern
_BOUND = re.compile(
    rf"\b(?:(?P<kind>{_ANY}) )?(?P<who>{_ANY}) {vocabulary.any_of('parties.verbs', 'en')}(?: not)?"
    rf"(?: {_ANY}ly)? (?P<act>(?:be )?{_ANY})"
)
"""A noun, often with what kind of it, a word of obligation, and what is to be done: `licensed firm
must not unduly delay`."""

ORGANISATIONS = term_set(" ".join(vocabulary.words("parties.organisations", "en")))
"""Stems of what an organisation that is bound may be called."""

_ANYBODY = ORGANISATIONS | term_set(" ".join(vocabulary.words("parties.anybody", "en")))
"""Stems of what anybody may be called who is bound, in other words than those of the passage."""


@dataclass(frozen=True, slots=True)
class _Party:
    act: str
    kind: str
    """Stem of what tells this one from others of its name: `retail`; empty: nothing does."""
    stem: str
    name: str
    """As the text has it, with its kind."""

    @property
    def called(self) -> tuple[str, str]:
        """What it is known by."""
        return self.kind, self.stem


@dataclass(frozen=True, slots=True)
class _Bonds:
    parties: Mapping[_Party, int]
    """Each with the place where the first words end that bind it."""
    last: Mapping[tuple[str, str], int]
    """Kind and stem of whoever is named, with and without the kind → where that is for the last
    time."""

    @classmethod
    def of(cls, text: str) -> _Bonds:
        """Read a text."""
        parties: dict[_Party, int] = {}
        for found in _BOUND.finditer(text):
            kind = found["kind"] or ""
            named = kind if kind and kind not in FUNCTION_WORDS else ""
            name = f"{named} {found['who']}".strip()
            party = _Party(found["act"], _stem(named), _stem(found["who"]), name)
            parties.setdefault(party, found.end())
        last: dict[tuple[str, str], int] = {}
        before = ""
        for word in _WORD.finditer(text):
            stem = _stem(word[0])
            last["", stem] = last[before, stem] = word.start()
            before = stem
        return cls(parties, last)

    def is_behind(self, party: _Party, place: int) -> bool:
        """Return whether a party is named behind a place."""
        return self.last.get(party.called, -1) >= place


def swapped_parties(claim: str, window: Window) -> list[Finding]:
    """Return a duty, ban or leave that changes sides.

    Only clear cases are reported: the same act by somebody else than in the passage,
    or something that one kind of client, firm or person may do instead of another kind; and each of
    the two is named after the act where the other one is bound. Whoever is named by a pronoun or
    another noun is not compared.
    """
    said, there = _Bonds.of(claim), _Bonds.of(window.text)
    acts = {(their.act, their.stem) for their in there.parties}
    called = {their.called for their in there.parties}
    for our, ours in said.parties.items():
        for their, theirs in there.parties.items():
            kinds = our.stem == their.stem and our.kind and their.kind
            new = our.called not in called if kinds else (our.act, our.stem) not in acts
            if not (new and (kinds or our.act == their.act)):
                continue
            if said.is_behind(their, ours) and there.is_behind(our, theirs):
                return [_told(our, their)]
    return []


def foreign_party(claim: str, window: Window, asked: str) -> list[Finding]:
    """Return a party that a statement binds, and of which neither passage nor question speaks.

    What anybody may be called, `firm` or `person`, is another word for the party of the passage.
    """
    theirs = {their.act: their for their in _Bonds.of(window.text).parties}
    known = _ANYBODY | window.source.terms | term_set(asked)
    for our in _Bonds.of(claim).parties:
        if our.act in theirs and our.stem and our.stem not in known:
            return [_told(our, theirs[our.act])]
    return []


def _told(our: _Party, their: _Party) -> Finding:
    return Finding(
        "force", f"The statement binds “{our.name}”, but the passage binds “{their.name}”."
    )


def _stem(words: str) -> str:
    return "".join(tokens(words))
