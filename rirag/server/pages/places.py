"""Where things are in a document: its parts, the words of a find, what its passages cite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rirag.server.addresses import document_address, rule_address
from rirag.server.pages.text import Anchor, on_one_line
from search.text.analyzer import tokens
from search.text.spans import Span, locate_phrase, locate_words

if TYPE_CHECKING:
    from search import Links, Passage

MOST_CHARACTERS = 40_000
"""Text of one part of a document; a part ends before the passage that would exceed it."""

MOST_PASSAGES = 150
"""Passages of one part of a document."""

SHORT = 160
"""Characters of a passage that are shown around the words of a find."""
QUOTES = '"“”„«»'


def parts_of(passages: Sequence[Passage]) -> dict[str, int]:
    """Return the part, from 1, in which each passage of a document is shown."""
    part, held, characters = 1, 0, 0
    part_of = {}
    for one in passages:
        if held == MOST_PASSAGES or (held and characters + len(one.text) > MOST_CHARACTERS):
            part, held, characters = part + 1, 0, 0
        held, characters = held + 1, characters + len(one.text)
        part_of[one.id] = part
    return part_of


def place_of(document_id: str, part_of: dict[str, int], passage_id: str) -> str:
    """Return the address of a passage in its document."""
    part = part_of[passage_id]
    address = (
        document_address(document_id, part=part) if part > 1 else document_address(document_id)
    )
    return f"{address}#p-{passage_id}"


def found_in(
    passages: Sequence[Passage], marks: Mapping[str, Sequence[Span]], document_id: str,
    part_of: dict[str, int], find: str,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the passages that have the words of a find, with the words and what is around them."""
    found = []
    for one in passages:
        if one.id in marks:
            part = {"part": part_of[one.id]} if part_of[one.id] > 1 else {}
            address = document_address(document_id, find=find, **part) + f"#p-{one.id}"
            start = marks[one.id][0][0]
            first = one.text.rfind(" ", 0, max(start - SHORT // 3, 0)) + 1
            last = one.text.find(" ", first + SHORT)
            text = one.text[first : last if last > 0 else None]
            near = [(a - first, b - first) for a, b in marks[one.id] if b - first <= len(text)]
            found.append(
                {
                    "number": one.passage_id,
                    "before": first > 0,
                    "words": on_one_line(text, near),
                    "after": last > 0,
                    "address": address,
                }
            )
    return found


def marks_of(passages: Sequence[Passage], find: str) -> dict[str, list[Span]]:
    """Return where a phrase is in the passages that have it; if none has, its words in any order.

    Words compare by their index terms; a phrase in quotation marks is only looked for as a phrase.
    """
    phrase = find.strip(QUOTES)
    wanted = tokens(phrase)
    if not wanted:
        return {}
    found = {one.id: spans for one in passages if (spans := locate_phrase(wanted, one.text))}
    if found or phrase != find:
        return found
    terms = frozenset(wanted)
    return {
        one.id: locate_words(terms, one.text)
        for one in passages
        if terms <= frozenset(tokens(one.text))
    }


def anchors_of(passage: Passage, links: Links) -> list[Anchor]:
    """Return the words of a passage that name another rule or a defined term, with where it is.

    What names a rule that is not here takes its words, so that no shorter name is found in them.
    """
    text, taken = passage.text, [False] * len(passage.text)
    found: list[Anchor] = []
    for one in sorted(links.cites, key=lambda one: -len(one.text)):
        words = r"\s+".join(map(re.escape, one.text.split()))
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            taken[start:end] = [True] * (end - start)
            if one.target is not None:
                address = rule_address(one.target.document_id, one.target.passage_id)
                found.append(Anchor(start, end, address, one.target.citation()))
            if one.relative:
                break  # from another place it may name another rule
    for term in links.terms:
        address = rule_address(term.passage.document_id, term.passage.passage_id)
        for match in re.finditer(rf"\b{re.escape(term.term)}\b", text):
            if not any(taken[slice(*match.span())]):
                found.append(Anchor(*match.span(), address, term.text, is_term=True))
    return found
