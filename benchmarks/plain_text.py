"""A Word file as the plain text that people make of it: numbers typed out, every look gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from indexer.blocks import Block
from indexer.numbering.fences import fenced_lines
from indexer.outline import outline
from indexer.readers.docx import read_blocks
from indexer.readers.text.outline import is_relative, text_blocks
from indexer.review.check import words


def plain_text(path: Path) -> str:
    """Return the text of a Word file: a line a paragraph, a blank one after each."""
    blocks, _ = read_blocks(path)
    return "\n".join(line for block in blocks for line in _lines(block))


def lost_words_of_plain_text(path: Path, read: list[str]) -> list[str]:
    """Return words of the plain text that are neither in a passage nor among what was left out.

    Args:
        path: of the Word file.
        read: the passages, with their numbers.
    """
    text = plain_text(path)
    lines = text.split("\n")
    fenced = fenced_lines(lines)
    found = Counter(words("\n".join(read)))
    if is_relative(lines, fenced):
        for piece in outline(text_blocks(lines, fenced)).left_out:
            found.update(words(piece.text))
    return sorted((Counter(words(text)) - found).elements())


def _lines(block: Block) -> Iterator[str]:
    if block.kind == "footnote":
        return
    text = block.text.strip("\n")
    if block.kind == "paragraph":
        yield f"{block.label} {text}".strip()
        yield ""
    else:
        name = block.kind.capitalize()
        yield from (f"\\{name} Start", text, f"\\{name} End")
