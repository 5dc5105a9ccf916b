"""Words of a file that are in no passage and not among what its reader reports as left out.

python -m benchmarks.lost_words FILE…
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.pdf_words import settled, text_of_pdf
from benchmarks.reader_job import text_of_docx
from indexer.blocks import LeftOut
from indexer.problems import Problems
from indexer.readers.detect import reader_for
from indexer.review.check import words
from search.language import vocabulary
from search.provisions.roman import roman_value
from search.records import Passage

_FRONT_MATTER = ("title", "document_id")
"""Names of fields that are not among the metadata."""
_UNSEEN = ("script", "style", "template")
_INLINE = ("i", "b", "sup", "sub", "em", "strong", "u", "inline", "span")
"""Elements within a word: `4<sup>bis</sup>`."""
_MARKS = re.compile(r"&#?\w+;|</?(?:br|sup|sub|i|b|u|em|strong|span|p)\b[^<>]{0,200}>")
"""What Markdown holds of HTML."""
_END = re.compile(r"(?<=.)(?:\(|(?<!\d)\.|\.(?!\d))")
_UNITS = {
    spelling.word.rstrip("."): spelling.unit
    for language in vocabulary.languages().values()
    for spelling in language.spellings
    if spelling.word[:1].isalpha() and len(spelling.word) > 1
}


class Told(Problems):
    """Problems that keep the text of what was left out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def take(self, other: Problems) -> None:
        """Add all that another one has collected, with its texts."""
        super().take(other)
        self.texts += other.texts if isinstance(other, Told) else []

    def leave_out(self, source: str, pieces: Iterable[LeftOut]) -> None:
        """Note what is in no passage, with its text."""
        pieces = list(pieces)
        self.texts += [piece.text for piece in pieces]
        super().leave_out(source, pieces)


def lost_words(path: Path) -> list[str]:
    """Return the words of a file that are neither in a passage nor reported as left out.

    Words that one side has in one piece and the other in two are not lost.

    Raises:
        InputError: the file is refused.
    """
    told = Told()
    passages = list(reader_for(path).read(path, path.name, told))
    told.raise_if_any()
    found = Counter(words("\n".join([*told.texts, *_read(passages)])))
    lost, more = settled(words_of(path), found)
    numbers = Counter(words("\n".join(one.passage_id for one in passages)))
    rest = _plain(lost) - _plain(more) - Counter(_FRONT_MATTER)
    return sorted(w for w in rest.elements() if not (w in numbers and _is_number(w)))


def _is_number(word: str) -> bool:
    return word[0].isdigit() or len(word) == 1 or roman_value(word) is not None


def _read(passages: list[Passage]) -> Iterator[str]:
    """Yield what the passages say: their texts, and of each number what is its own."""
    known: set[str] = set()
    for passage in passages:
        number = passage.passage_id
        above = max((n for n in _ends(number) if number[:n] in known), default=0)
        yield number if number in known else number[above:]
        yield passage.text
        known.add(number)
    for passage in passages[:1]:
        yield passage.document_title
        for name, value in passage.metadata.items():
            yield f"{name} {name.replace('_', ' ')}"
            yield " ".join(value) if isinstance(value, list | tuple) else str(value)


def _ends(number: str) -> Iterator[int]:
    """Yield where the number of a passage above may end: not within `1.1`, `22-2` or `Part 2`."""
    return (found.start() for found in _END.finditer(number))


def _plain(found: Counter[str]) -> Counter[str]:
    """Return words, each unit by its one name; lines of `_` are no words."""
    seen = (word for word in found.elements() if any(map(str.isalnum, word)))
    return Counter(_UNITS.get(word, word) for word in seen)


def words_of(path: Path) -> Counter[str]:
    """Return every word of a file's visible text, by a plain way of its own for each format."""
    return Counter(words(visible_text(path)))


def visible_text(path: Path) -> str:
    """Return a file's visible text, read without the readers."""
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        return text_of_pdf(path)
    if suffix == ".docx":
        return text_of_docx(path)
    if suffix in {".html", ".htm", ".xml"}:
        return _marked_up(path, page=suffix != ".xml")
    return _MARKS.sub(" ", path.read_text(encoding="utf-8-sig"))


def _marked_up(path: Path, *, page: bool) -> str:
    from lxml import etree, html

    data = path.read_bytes()
    if page:
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding=_encoding(data)))
        etree.strip_elements(root, *_UNSEEN, with_tail=False)
    else:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    if not page:
        etree.strip_tags(root, *(f"{{*}}{name}" for name in _INLINE))
    return " ".join(root.itertext())


def _encoding(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def main() -> None:
    """Print for each file how many words are lost, and the most frequent of them."""
    arguments = parser(__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    options = arguments.parse_args()
    lost = {path.name: Counter(lost_words(path)) for path in options.files}
    for name, found in lost.items():
        if found:
            print(f"{name}:", *(word for word, _ in found.most_common(12)))
    figures = [Figure(name, found.total(), "words", 0) for name, found in lost.items()]
    report("words lost", figures, options.json, words=lost)


if __name__ == "__main__":
    start(main)
