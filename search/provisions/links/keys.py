"""The exact keys under which an engine finds a passage: its number, what it cites, and more."""

from __future__ import annotations

from collections.abc import Iterable

from search.provisions.links.find import cited_keys
from search.provisions.numbering import lookup_keys
from search.provisions.terms.abbreviations import (
    Abbreviation,
    abbreviations_in,
    abbreviations_of,
    meaning_key,
    short_key,
)
from search.provisions.terms.definitions import defines
from search.records import Passage, is_unnumbered

DEFINES = "defines:"
"""Key of every passage that defines a term."""


def record_keys(passage: Passage) -> tuple[str, ...]:
    """Return all keys of a passage: those of its number, `cites:…` for each that it names,
    `defines:` if it defines a term, two for each abbreviation that it explains, and one for the
    initials of its heading.

    They depend on the passage alone, so that it does not matter in which order documents are
    loaded; which passage is meant is found out when somebody asks
    (`search.lookup.links`).
    """
    cited = citing(cited_keys(passage))
    defined = (DEFINES,) if defines(passage) else ()
    short = [
        key
        for one in abbreviations_in(passage.text)
        for key in (short_form(one.short), meaning(one.meaning))
    ]
    headed = {initials(one.short) for one in heading_abbreviations(passage)}
    return (*lookup_keys(passage.passage_id), *cited, *defined, *short, *sorted(headed))


def citing(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of passages that cite a number with one of these lookup keys."""
    return tuple(f"cites:{key}" for key in keys)


def short_form(short: str) -> str:
    """Return the key of passages that explain an abbreviation."""
    return f"short:{short_key(short)}"


def initials(short: str) -> str:
    """Return the key of passages below a heading with these initials."""
    return f"initials:{short_key(short)}"


def heading_abbreviations(passage: Passage) -> list[Abbreviation]:
    """Return what the heading that is nearest to a passage may be called by its initials."""
    own = passage.text.partition("\n")[0] if passage.kind == "heading" else ""
    number = passage.passage_id if is_unnumbered(passage.passage_id) else ""
    headings = filter(None, (own, number, *passage.breadcrumb[-1:]))
    return [one for heading in headings for one in abbreviations_of(heading)]


def meaning(words: str) -> str:
    """Return the key of passages that give an abbreviation of some words."""
    return f"meaning:{meaning_key(words)}"
