"""Answers made wrong in one known way, to be planted among others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from generation.verify.compare.statements import statements_in
from rirag_workbench.evaluation.judge.corruptions import (
    changed_measure,
    changed_number,
    swapped_negation,
)
from search.records import Passage

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
        text: the answer.
        passages: number of a citation → its passage.
        parties: who is bound in other answers.
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
