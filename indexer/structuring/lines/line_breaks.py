"""Paragraphs that hold several numbers, parted by line breaks alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from indexer.blocks import Block
from indexer.structuring.labels.labels import Label, automatic_label, parse_label
from indexer.structuring.labels.order import dotted_follows
from indexer.structuring.lines.fences import fenced_lines


def parted_at_numbers(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks, and each numbered line of a paragraph as one of its own."""
    for block in blocks:
        if block.kind != "paragraph" or "\n" not in block.text:
            yield block
            continue
        first, *others = numbered_lines(block.text.split("\n"), block.label)
        yield replace(block, text=first)
        for text in others:
            yield replace(block, text=text, label="", level=0, list_id="")


def numbered_lines(lines: Sequence[str], label: str = "") -> list[str]:
    r"""Return the lines of a paragraph, those without a number joined to the one before by `\n`.

    Numbers open lines where they count: `1.1 …` and `1.2 …`, or `(a) …` and `(b) …`. Where none
    do, the paragraph is one text; within a fenced table none does.

    Args:
        lines: at least one.
        label: the automatic number of the paragraph.
    """
    parts = [lines[0]]
    seen = [one for one in (automatic_label(label), _typed(lines[0])) if one]
    counted = False
    fenced = fenced_lines(lines)
    for at, line in enumerate(lines[1:], start=1):
        typed = None if at in fenced else _typed(line)
        next_one = typed is not None and any(_comes_next(typed, one) for one in seen)
        if typed and (next_one or typed.first):
            counted = counted or next_one
            seen.append(typed)
            parts.append(line)
        else:
            parts[-1] += f"\n{line}"
    return parts if counted else ["\n".join(lines)]


def _comes_next(label: Label, before: Label) -> bool:
    """Return whether a label comes next: `(b)` after `(a)`, `1.2` or `1.1.1` after `1.1`."""
    if label.shape == before.shape == "dotted":
        return dotted_follows(label.text.rstrip(".").split("."), before.text.rstrip(".").split("."))
    return label.follows(before)


def _typed(line: str) -> Label | None:
    """Return the number that a line begins with; a bullet is none."""
    found = parse_label(line)
    return found[0] if found and found[0].shape != "bullet" else None
