"""Documents as lines, and the numbers that are read in them."""

from __future__ import annotations

from dataclasses import replace

from indexer.blocks import Block
from indexer.structuring.outline import outline


def blocks(*lines: str | Block) -> list[Block]:
    """Return blocks: `**Heading**` is bold, the rest plain; indents are tabs in front."""
    found = []
    for place, line in enumerate(lines, start=1):
        if isinstance(line, Block):
            found.append(replace(line, place=place))
            continue
        indent = len(line) - len(line.lstrip("\t"))
        text = line.strip("\t")
        bold = text.startswith("**")
        found.append(Block(text.strip("*"), bold=bold, indent=720 * indent, place=place))
    return found


def read(*lines: str | Block) -> list[tuple[str, str]]:
    """Return number and text of the passages."""
    return [(one.number, one.text) for one in outline(blocks(*lines)).passages]


def numbers(*lines: str | Block) -> list[str]:
    return [number for number, _ in read(*lines)]
