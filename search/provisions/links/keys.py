"""The exact keys under which an engine finds a passage: its number, what it cites, and more."""

from __future__ import annotations

from collections.abc import Iterable

from search.provisions.links.find import cited_keys
from search.provisions.numbering import lookup_keys
from search.provisions.terms.definitions import defines
from search.records import Passage

DEFINES = "defines:"
"""Key of every passage that defines a term."""


def record_keys(passage: Passage) -> tuple[str, ...]:
    """Return all keys of a passage: those of its number, `cites:…` for each that it names, and
    `defines:` if it defines a term.

    They depend on the passage alone, so that it does not matter in which order documents are
    loaded; which passage is meant is found out when somebody asks
    (`search.provisions.links.links`).
    """
    cited = citing(cited_keys(passage))
    return (*lookup_keys(passage.passage_id), *cited, *((DEFINES,) if defines(passage) else ()))


def citing(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of passages that cite a number with one of these lookup keys."""
    return tuple(f"cites:{key}" for key in keys)
