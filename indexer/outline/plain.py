"""Labels that only their place tells: plain `2 Duties`, `Article 2`, `1 (1) A Firm`, and `A2`.

Neither look nor mark says that they are labels. They are believed where they continue those
before, which the stack of open places knows; `A2` is one in an attachment.
"""

from __future__ import annotations

import re

from indexer.blocks import Block
from indexer.outline.headings import is_set_apart
from indexer.outline.labelled import Labelled
from indexer.structuring.labels import Label, parse_label
from indexer.structuring.line_labels import heading

_LETTERED = r"(?P<label>[A-Z]\d{1,3}[A-Z]{0,2})"
_LETTERED_NUMBER = re.compile(_LETTERED)
_BEFORE_TAB = re.compile(rf"{_LETTERED} *(?:\t\s*|$)")
_BEFORE_SPACE = re.compile(rf"{_LETTERED}\s+(?=[A-Z])")
_SUBSECTION = re.compile(r"(\d{1,3}[A-Z]{0,2})\s+(\(1\))\s+(?=[A-Z“\"'‘])")


def plain_label(one: Labelled) -> Labelled | None:
    """Return a paragraph with the label that it may have, or None for one that can have none."""
    block, text = one.block, one.block.text.strip(" \n")
    if block.kind != "paragraph" or one.labels:
        return None
    if block.label:
        lettered = _LETTERED_NUMBER.fullmatch(block.label.strip())
        return Labelled(block, (Label(lettered["label"], "dotted"),), text) if lettered else None
    set_apart = is_set_apart(block)
    if found := _BEFORE_TAB.match(text) or (set_apart and _BEFORE_SPACE.match(text)):
        return Labelled(block, (Label(found["label"], "dotted"),), text[found.end() :])
    if found := _SUBSECTION.match(text):
        labels = (Label(found[1], "integer"), Label(found[2], "bracket"))
        return Labelled(block, labels, text[found.end() :])
    return None if set_apart else _without_mark(block, text)


def has_title(plain: Labelled) -> bool:
    """Return whether nothing or a title follows a label, no sentence."""
    if plain.labels[0].shape == "division" and not plain.rest:
        return True
    return len(plain.labels) == 1 and bool(heading(plain.rest))


def begins(one: Labelled) -> bool:
    """Return whether a paragraph is the title of a first number (`1 Scope`)."""
    plain = plain_label(one)
    return bool(plain and plain.labels[0].first and has_title(plain))


def _without_mark(block: Block, text: str) -> Labelled | None:
    """Read `2 Duties` and `Article 2`."""
    parsed = parse_label(text, heading=True)
    if not parsed or parsed[0].shape not in ("division", "integer"):
        return None
    found = Labelled(block, (parsed[0],), parsed[1].strip())
    return found if parsed[0].shape == "integer" or has_title(found) else None
