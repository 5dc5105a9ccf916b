"""A Word file as the plain text that people make of it: numbers typed out, every look gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.blocks import Block, LeftOut
from indexer.problems import Problems
from indexer.readers.docx.reader import read_blocks
from indexer.readers.text.reader import TextReader
from indexer.review.check import words


class _Heard(Problems):
    """Keeps the words that a reader leaves out, and not only how many."""

    def __init__(self) -> None:
        super().__init__()
        self.words: Counter[str] = Counter()

    def leave_out(self, source: str, pieces: Iterable[LeftOut]) -> None:
        pieces = list(pieces)
        super().leave_out(source, pieces)
        for piece in pieces:
            self.words.update(words(piece.text))

    def take(self, other: Problems) -> None:
        super().take(other)
        if isinstance(other, _Heard):
            self.words += other.words


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
    with TemporaryDirectory() as folder:
        source = Path(folder) / f"{path.stem}.txt"
        source.write_text(text, encoding="utf-8")
        heard = _Heard()
        list(TextReader().read(source, source.name, heard))
    return sorted((Counter(words(text)) - Counter(words("\n".join(read))) - heard.words).elements())


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
