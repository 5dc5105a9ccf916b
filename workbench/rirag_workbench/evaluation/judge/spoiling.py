"""Answers made wrong in one known way, to be planted among others.

A sentence gets another number or measure, or says the contrary. What is changed is drawn from a
generator, so that a run can be repeated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Literal

from generation.statements.answers import statements_in
from generation.statements.passages import fold
from generation.statements.words import folded
from search.provisions.documents.names import DocumentNames
from search.provisions.links.find import find_cross_references
from search.records import Passage

_WORDS = tomllib.loads(files(__package__).joinpath("spoiling.toml").read_text("utf-8"))
_NUMBERS: tuple[str, ...] = tuple(_WORDS["numbers"])

_NUMBER = re.compile(
    r"(?<![\w.(])\d+(?:,\d{3})*(?:\.\d+)*(?=[\s%,;.)(]|$)|\b(?:" + "|".join(_NUMBERS) + r")\b"
)
_MEASURES: list[tuple[str, str]] = [(old, new) for old, new in _WORDS["measures"]]
"""Units, currencies and limits, and what each is made; the pairs go both ways."""

MODAL = re.compile(r"\b(must|shall|may|should|is|are|will|can) (not )?(?=[a-z])")


def changed_number(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with one number replaced, half of the time by another of the passage.

    Numbers of rules stay: an answer with a wrong one may be right all the same.
    """
    found = _numbers(text)
    if not found:
        return None
    chosen = random.choice(found)
    own = [one[0] for one in _numbers(passage.text) if one[0] != chosen[0]]
    if own and random.random() < 0.5:
        other = random.choice(own)
    elif chosen[0].isalpha():
        other = random.choice([name for name in _NUMBERS if name != chosen[0]])
    else:
        head, _, last = chosen[0].rpartition(".")
        other_last = int(last.replace(",", "")) + random.choice([1, 2, 5, 10])
        digits = f"{other_last:,}" if "," in last else f"{other_last}"
        other = f"{head}.{digits}" if head else digits
    return unless_said(f"{text[: chosen.start()]}{other}{text[chosen.end() :]}", passage)


def _numbers(text: str) -> list[re.Match[str]]:
    """Return the numbers in a text, without those of the rules that it names."""
    end = 0
    for rule in find_cross_references(Passage("", "", "", text), DocumentNames([])):
        start = text.find(rule.text, end)
        if start >= 0:
            end = start + len(rule.text)
            text = f"{text[:start]}{'x' * len(rule.text)}{text[end:]}"
    return list(_NUMBER.finditer(text))


def changed_measure(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with the unit, the currency or the limit of a number replaced."""
    pairs = [*_MEASURES, *((new, old) for old, new in _MEASURES if new)]
    found = [
        (match, new)
        for old, new in pairs
        for match in re.finditer(rf"(?i)(?<![A-Za-z]){re.escape(old)}(?![A-Za-z])", text)
        if re.search(r"\d", text[max(0, match.start() - 12) : match.end() + 12])
    ]
    if not found:
        return None
    match, new = random.choice(found)
    return unless_said(f"{text[: match.start()]}{new}{text[match.end() :]}", passage)


def swapped_negation(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with a "not" added or taken away behind a verb."""
    found = list(MODAL.finditer(text))
    if not found:
        return None
    chosen = random.choice(found)
    verb = chosen[1] + (" " if chosen[2] else " not ")
    return unless_said(text[: chosen.start()] + verb + text[chosen.end() :], passage)


def holds(passage: Passage, text: str) -> bool:
    """Return whether a passage has the words of a text as they are."""
    return folded(text).strip(" .;,:") in folded(passage.text)


def unless_said(text: str, passage: Passage, words: str = "") -> str | None:
    """Return the text unless the passage says just this."""
    return None if holds(passage, words or fold(text)) else text


Kind = Literal["number", "party", "negation", "version"]
"""What is wrong: a number, who is bound, a negation, or a time or limit as another version of the
rule might have it."""

KINDS: tuple[Kind, ...] = ("number", "party", "negation", "version")

_PARTY = re.compile(
    r"\b(?P<article>[Aa]n?|[Tt]he|[Ee]ach|[Ee]very) (?P<name>(?:[A-Z][\w-]*)(?: [A-Z][\w-]*){0,3})"
    r"(?= (?:must|shall|may|should|is required)\b)"
)


@dataclass(frozen=True, slots=True)
class Spoiled:
    """An answer made wrong."""

    kind: Kind
    text: str


def spoil(
    text: str, passages: Mapping[int, Passage], parties: Sequence[str], random: Random
) -> Spoiled | None:
    """Return an answer with one statement made wrong; None where none can be.

    Args:
        random: of the choice; kinds are tried in a drawn order.
    """
    statements = [one for one in statements_in(text) if one.citations]
    random.shuffle(statements)
    for kind in random.sample(KINDS, len(KINDS)):
        for one in statements:
            passage = next((passages[n] for n in one.citations if n in passages), None)
            # The name of the rule before a quotation stays: a wrong one is another fault.
            start = one.start + len(one.label)
            stretch = text[start : one.end]
            changed = passage and _changed(kind, stretch, passage, parties, random)
            if changed and changed != stretch:
                return Spoiled(kind, text[:start] + changed + text[one.end :])
    return None


def parties_in(texts: Sequence[str]) -> list[str]:
    """Return who is bound in answers, each once."""
    return sorted({found["name"] for text in texts for found in _PARTY.finditer(text)})


def _changed(
    kind: Kind, text: str, passage: Passage, parties: Sequence[str], random: Random
) -> str | None:
    if kind == "party":
        return _other_party(text, parties, random)
    change = {
        "number": changed_number, "negation": swapped_negation, "version": changed_measure,
    }[kind]  # fmt: skip
    return change(text, passage, random)


def _other_party(text: str, parties: Sequence[str], random: Random) -> str | None:
    found = _PARTY.search(text)
    others = [one for one in parties if found is not None and one not in text]
    if found is None or not others:
        return None
    other = random.choice(others)
    article = found["article"]
    if article.lower() in ("a", "an"):
        article = article[0] + ("n" if other[0] in "AEIOU" else "")
    return f"{text[: found.start()]}{article} {other}{text[found.end() :]}"
