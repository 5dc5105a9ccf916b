"""Format the links of a passage for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from generation.text.sanitize import printable
from rirag.cli.output.hits import WIDTH

if TYPE_CHECKING:
    from search.provisions.links.links import Citation, Links
    from search.provisions.terms.definitions import Definition
    from search.records import Passage

BRIEFLY = 4
"""Links of a kind that a search result names; `rirag documents show` has them all."""

BEGINNING = 60
"""Characters of a linked passage that are shown."""


def links_text(links: Links) -> str:
    """Return every link of a passage, a line each under a heading; "" where it has none."""
    kinds = (
        ("cites", [_cited(one) for one in links.cites]),
        ("cited by", [_place(one) for one in links.cited_by]),
        ("terms", [_defined(one) for one in links.terms]),
    )
    return printable("\n".join(line for name, shown in kinds for line in _listed(name, shown)))


def links_brief(links: Links) -> list[str]:
    """Return the first links of each kind, as the lines of a search result."""
    kinds = (
        ("cites", [one.target.citation() for one in links.cites if one.target is not None]),
        ("cited by", [one.citation() for one in links.cited_by]),
        ("terms", [one.term for one in links.terms]),
    )
    brief = [printable(_first(name, shown)) for name, shown in kinds if shown]
    return [
        f"    {line}"
        for one in brief
        for line in textwrap.wrap(one, WIDTH - 4, subsequent_indent="  ")
    ]


def _listed(name: str, shown: Iterable[str]) -> Iterator[str]:
    lines = [f"  {one}" for one in shown]
    return iter([f"{name} ({len(lines)})", *lines] if lines else [])


def _first(name: str, shown: list[str]) -> str:
    more = f" and {len(shown) - BRIEFLY} more" if len(shown) > BRIEFLY else ""
    return f"{name} {', '.join(shown[:BRIEFLY])}{more}"


def _cited(one: Citation) -> str:
    if one.target is not None:
        return f"{one.text} → {_place(one.target)}"
    if one.outside is not None:
        return f"{one.text} → {one.outside}, which is not in the index"
    return f"{one.text} → no passage has this number"


def _defined(one: Definition) -> str:
    return f"{one.term} → {one.passage.citation()}  {_beginning(one.text)}"


def _place(passage: Passage) -> str:
    return f"{passage.citation()}  {_beginning(passage.text)}".rstrip()


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING].rstrip()}…"
