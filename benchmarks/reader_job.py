"""Reads one document in a process of its own: python -m benchmarks.reader_job FORMAT FILE."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.memory_use import MIB, memory_use
from benchmarks.pdf_words import lost_words_of_pdf
from benchmarks.plain_text import lost_words_of_plain_text, plain_text
from indexer.problems import Problems
from indexer.readers.detect import reader_for
from indexer.review.check import words


def main() -> None:
    """Print what was read, how long it took, and the words that are nowhere."""
    name, path = sys.argv[1], Path(sys.argv[2])
    print(json.dumps(read(name, path)))


def read(name: str, path: Path) -> dict[str, Any]:
    """Read a document and count."""
    problems = Problems()
    with TemporaryDirectory() as folder:
        source = path
        if name == "plain":
            source = Path(folder) / f"{path.stem}.txt"
            source.write_text(plain_text(path), encoding="utf-8")
        reader = reader_for(source, "text" if name == "plain" else name)
        before = memory_use()
        started = processor_time()
        passages = list(reader.read(source, source.name, problems))
        seconds = processor_time() - started
    problems.raise_if_any()
    texts = [f"{p.passage_id} {p.text}" for p in passages]
    return {
        "passages": [(passage.passage_id, passage.text) for passage in passages],
        "seconds": seconds,
        "peak": memory_use().peak + children_peak(),
        "peak before": before.peak,
        "lost": LOST[name](path, texts) if name in LOST else [],
        "left out": {note.reason: note.words for note in problems.notes},
    }


def processor_time() -> float:
    """Return the processor time of this process and of those that it started and that ended."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def children_peak() -> float:
    """Return the most memory, in MiB, of a process that this one started and that ended."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak / (MIB if sys.platform == "darwin" else 1024)


def lost_words_of_text(path: Path, read: list[str]) -> list[str]:
    """Return words of a text file that are in no passage."""
    found = Counter(words(path.read_text(encoding="utf-8")))
    return sorted((found - Counter(words("\n".join(read)))).elements())


def lost_words_of_docx(path: Path, read: list[str]) -> list[str]:
    """Return words of a DOCX that are neither in a passage nor among what was left out."""
    from indexer.readers.docx.reader import read_blocks
    from indexer.structuring.outline import outline

    found = Counter(words("\n".join(read)))
    for piece in outline(*read_blocks(path)).left_out:
        found.update(words(piece.text))
    return sorted((Counter(words(text_of_docx(path))) - found).elements())


def text_of_docx(path: Path) -> str:
    """Return the text of a DOCX's body, straight from its XML, a paragraph a line."""
    import zipfile

    from lxml import etree

    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    found: list[str] = []
    with zipfile.ZipFile(path) as package:
        body = etree.fromstring(package.read("word/document.xml"))
        for alternative in list(body.iter("{*}Fallback")):
            alternative.getparent().remove(alternative)
        for paragraph in body.iter(f"{space}p"):
            pieces = []
            for element in paragraph.iter(f"{space}t", f"{space}tab", f"{space}br", f"{space}cr",
                                          f"{space}noBreakHyphen", f"{space}p"):  # fmt: skip
                owner = next(element.iterancestors(f"{space}p"), None)
                if element.tag == f"{space}t" and owner is paragraph:
                    pieces.append(element.text or "")
                elif element is not paragraph:
                    pieces.append(" ")
            found.append("".join(pieces))
    return "\n".join(found)


LOST = {
    "docx": lost_words_of_docx,
    "pdf": lost_words_of_pdf,
    "plain": lost_words_of_plain_text,
    "text": lost_words_of_text,
}
"""What looks for lost words in a format; in others `benchmarks.lost_words` does."""


if __name__ == "__main__":
    main()
