"""Numbers behind a word: `Rule 1 – Scope`, `§ 2 Gebühren`, `Artículo 3. Objeto`, `Art. 5a`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.blocks import Block
from indexer.outline.headings import is_heading
from indexer.structuring.labels import automatic_label, parse_label
from indexer.structuring.line_labels import UNITS
from indexer.structuring.series import Numbers
from indexer.structuring.units import DASHED, MARKED, Key, UnitLine
from search.language import vocabulary
from search.provisions.numbering import NUMBER_WORDS

_INNER = vocabulary.words_for(["clause", "paragraph", "part"])
_HEADING = re.compile(
    rf"(?P<label>(?P<word>{UNITS}|{vocabulary.printed(_INNER)})\s?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)"
    r"[A-Za-z]{0,2})"
    r"(?=[\s:.–—-]|$)[\s:.–—-]*(?![a-z])"
)
"""Principles are counted as well, but those who number passages by hand leave them headings."""

_GROUPS = vocabulary.units_of("attachment", "division")
_WORD = re.compile(vocabulary.printed(vocabulary.words_for(_GROUPS)))
_NUMBER = re.compile(rf"(?i:{'|'.join(NUMBER_WORDS)})|\d{{1,3}}|[IVXLC]{{1,6}}|[A-Z]")

_OTHER_FORMS = frozenset({DASHED, MARKED, "coded", "footnote", "recital"})
_FEWEST = 2
_RUN_THROUGH = 0.9
"""Share of the numbers of units that occur once at least where they run through a document."""

_IN_ORDER = 0.75
"""Share of the steps between such headings that continue by one."""


def with_worded_labels(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks in which such numbers are labels, where they count through the document.

    A single heading may name the rule that it is about (`Rule 3.5.8`); those of a word that begin
    at 1 and continue number the document. Units of the vocabulary that run through it are cited
    without the divisions above them.
    """
    blocks = _with_units(_joined(blocks))
    found = {at: match for at, block in enumerate(blocks) if (match := _match(block))}
    counted: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    for match in found.values():
        counted[match["word"]].append(tuple(map(int, match["number"].split("."))))
    numbering = {word for word, numbers in counted.items() if _count_on(numbers)}
    return [
        _labelled(block, found[at]) if at in found and found[at]["word"] in numbering else block
        for at, block in enumerate(blocks)
    ]


def _with_units(blocks: list[Block]) -> list[Block]:
    """Return blocks in which units of the vocabulary whose numbers run through are labels."""
    lines = [f"{block.label} {block.text}".strip() if _may_open(block) else "" for block in blocks]
    found = Numbers(lines).units
    worded = {at: unit for at, unit in found.items() if unit.form not in _OTHER_FORMS}
    units = {at: unit for at, unit in worded.items() if _is_set_off(blocks[at], unit)}
    if not _run_through([units[at].key for at in sorted(units)]):
        return blocks
    if units[min(units)].key[0] != 1 and not any(blocks[at].label for at in units):
        return blocks  # they may name the rules of another text
    return [_unit(block, units[at]) if at in units else block for at, block in enumerate(blocks)]


def _run_through(keys: Sequence[Key]) -> bool:
    """Return whether nearly all numbers occur once, and most come right after the one before."""
    if len(set(keys)) < max(_FEWEST, _RUN_THROUGH * len(keys)):
        return False
    steps = [(one[0], other[0]) for one, other in pairwise(keys)]
    next_ones = (other in (one, int(one) + 1) for one, other in steps if isinstance(one, int))
    return sum(next_ones) >= _IN_ORDER * len(steps)


def _may_open(block: Block) -> bool:
    """Return whether a block may open a unit; divisions of English acts have known words.

    `SECTION 1.` in capitals may be the first of those that go on with `SEC. 2.`.
    """
    if block.kind != "paragraph" or block.label[:1].isdigit():
        return False
    found = parse_label(block.text, heading=True)
    capitals = block.text.isupper() and found is not None and found[0].word == "section"
    return bool(block.label) or found is None or capitals


def _is_set_off(block: Block, unit: UnitLine) -> bool:
    """Return whether a number is the document's own, and not how a sentence begins."""
    return bool(block.label) or unit.alone or is_heading(block) or block.text.isupper()


def _unit(block: Block, unit: UnitLine) -> Block:
    printed = (block.label or unit.label).rstrip(" .:—–-")
    number = printed if automatic_label(printed) else unit.number
    if not automatic_label(number):
        return block
    return replace(block, label=number, text=unit.text, list_id=f"unit {unit.form}", unit=True)


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks in which a chapter's word and its number, on a line each, are one."""
    found: list[Block] = []
    for block in blocks:
        above = found[-1] if found else None
        if above and _WORD.fullmatch(above.text) and _NUMBER.fullmatch(block.text):
            found[-1] = replace(above, text=f"{above.text} {block.text}")
        else:
            found.append(block)
    return found


def _match(block: Block) -> re.Match[str] | None:
    if block.label or not is_heading(block) or parse_label(block.text, heading=True):
        return None
    return _HEADING.match(block.text)


def _labelled(block: Block, found: re.Match[str]) -> Block:
    rest = block.text[found.end() :]
    return replace(block, label=found["label"], text=rest, list_id=f"typed {found['word']}")


def _count_on(numbers: Sequence[tuple[int, ...]]) -> bool:
    """Return whether numbers begin at 1 and nearly all come next; `2a` after `2` does too."""
    steps = [_comes_next(one, other) for one, other in pairwise(numbers)]
    return bool(steps) and set(numbers[0]) == {1} and sum(steps) >= _IN_ORDER * len(steps)


def _comes_next(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Return whether `1.2` or `1.3` comes after `1.2`, or `2.1`; and `2` after `1`."""
    if len(before) != len(after):
        return False
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        if one != other:
            return other == one + 1 and set(after[place + 1 :]) <= {1}
    return True
