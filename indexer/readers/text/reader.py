r"""Numbered plain text and Markdown: one document a file.

    ---
    title: Conduct Rules
    jurisdiction: Northmark
    ---
    1.      INTRODUCTION
    1.1     Application
    1.1.1   These Rules apply to every Firm that:
    (a)     takes deposits; or
    (b)     gives advice.

A law is read by the units that run through it, any other text by the place of its numbers, and one
whose numbers are written out before tabs by those.
Between `\Table Start` and `\Table End`, or `\Figure Start` and `\Figure End`, no line opens a
passage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.acts.granularity import DEFAULT_GRANULARITY
from indexer.acts.passages import passages_of
from indexer.blocks import TABLE_OF_CONTENTS, LeftOut
from indexer.control import control_fields
from indexer.hierarchy.passage_ids import make_id
from indexer.outline import FEWEST_WORDS, PREAMBLE, outline
from indexer.problems import Problems
from indexer.readers.files import is_text, read_text
from indexer.readers.frontmatter import FrontMatter, split_front_matter
from indexer.readers.labels import control_fault
from indexer.readers.outlined import itself, outlined_passages
from indexer.readers.protocol import BEGINNING
from indexer.readers.text.law import TITLE, law_text
from indexer.readers.text.outline import marked_blocks, text_blocks
from indexer.readers.text.written_out import Divisions, Opening, written_out
from indexer.structuring.book_codes import titled, without_codes
from indexer.structuring.contents import contents_lines
from indexer.structuring.fences import fenced_lines
from indexer.structuring.headings import with_headings
from indexer.structuring.labels import line_label
from indexer.structuring.line_labels import heading, markdown_heading
from indexer.structuring.line_wrapping import continuations, joined
from indexer.structuring.lines_apart import lines_apart
from indexer.structuring.readings import Way, best
from indexer.structuring.series import Numbers
from indexer.titles import is_title
from search.errors import InputError
from search.records import Passage
from search.text.analyzer import words

FEWEST_HEADINGS = 2
"""Markdown headings from which a text of a folder is a document: one may be a comment or a note."""

_SENTENCE = 500
"""Characters in which the first words of a paragraph are."""


class TextReader:
    """Reads `.txt` and `.md` files."""

    name = "text"
    suffixes = frozenset({".txt", ".text", ".md", ".markdown"})
    whole_document = True

    def sniff(self, beginning: str) -> bool:
        """Return whether one of the first lines opens a passage."""
        lines = without_codes(beginning.splitlines()).texts
        return any(map(line_label, lines)) or bool(Numbers(lines).units)

    def foreign(self, beginning: str) -> str:
        """Return a reason for a few words without headings in which no line begins with a number.

        A longer text than `BEGINNING` may begin with recitals or a table of contents: reading it
        shows whether it has numbers.
        """
        if (
            not beginning.strip()
            or len(beginning.encode()) > BEGINNING - 4
            or _has_sentence(beginning)
            or self.sniff(beginning)
            or _has_headings(beginning)
            or not is_text(beginning)  # reading it says so
        ):
            return ""
        return "no line begins with a number"

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the file: one where no line has a number.

        A few words without a number are refused.
        """
        raw = read_text(path, problems)
        if raw is None:
            return
        front = split_front_matter(raw, path, source, problems)
        if front is None:
            return
        document_id = front.document_id or path.stem
        if fault := control_fault("the name of the file", document_id):
            what = f"{fault}, or put a document_id in the front matter"
            problems.add(InputError(what, path, code="source.invalid"))
            return
        whole = front.body.split("\n")
        apart, places = lines_apart(whole, fenced_lines(whole))

        def place_of(at: int) -> int:
            return front.first_line + places[at]

        bare = without_codes(apart)
        problems.leave_out(source, bare.left_out(place_of))
        lines = bare.texts
        fenced = fenced_lines(lines)
        contents = contents_lines(lines)
        problems.leave_out(
            source,
            [LeftOut(lines[at], TABLE_OF_CONTENTS, place_of(at)) for at in contents],
        )
        lines = ["" if at in contents else line for at, line in enumerate(lines)]
        if openings := written_out(lines, fenced):
            text = _Text(path, source, front, bare.code, lines, fenced, place_of)
            yield from _written(text, openings, problems)
            return
        lines = with_headings(lines, fenced)
        law = law_text(lines, fenced, place_of)

        def as_law(own: Problems) -> Iterator[Passage]:
            act = law.act(document_id, front.title, bare.code)
            act.metadata = {**act.metadata, **front.metadata}
            own.leave_out(source, act.left_out)
            return passages_of(act, DEFAULT_GRANULARITY, source)

        def as_outline(own: Problems) -> Iterator[Passage]:
            marked = any(line.rank or line.marked for line in law.lines)
            left_out = law.left_out if marked else ()
            found = outline(
                marked_blocks(law.lines) if marked else text_blocks(lines, fenced), left_out
            )
            found = replace(found, title=titled(found.title, bare.code))
            return outlined_passages(
                found, path, source, own, itself if marked else lambda at: place_of(at - 1), front
            )

        is_act = law.is_law or law.is_headed or law.is_divided
        ways: dict[str, Way] = {"law": as_law, "outline": as_outline}
        likeliest = ways if is_act else dict(reversed(ways.items()))
        yield from best(likeliest, law.counted, source, problems)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text without its table of contents and the code before its numbers."""

    path: Path
    source: str
    """The name of the file as passages show it."""
    front: FrontMatter
    code: str
    """Of the book, before its numbers; empty where they stand alone."""
    lines: list[str]
    fenced: frozenset[int]
    """0-based places of lines inside a fence."""
    place_of: Callable[[int], int]
    """Returns the 1-based line of the file of a place."""


def _written(text: _Text, openings: Sequence[Opening], problems: Problems) -> Iterator[Passage]:
    """Yield the passages of a text whose numbers are written out: `3.2.(1)`, `Part 1.Chapter 2`."""
    path, front, lines, place_of = text.path, text.front, text.lines, text.place_of
    going_on = continuations(lines, text.fenced)
    above = lines[: openings[0].line]
    title, preamble = _title(above, going_on)
    if front.title and title and words(title) != words(front.title):
        problems.leave_out(text.source, [LeftOut(title, TITLE)])
    title = front.title or titled(title, text.code)
    document_id = front.document_id or path.stem
    blocks = [(" ".join(title.split()) or PREAMBLE, preamble, 0)] if preamble else []
    ends = [*(one.line for one in openings[1:]), len(lines)]
    for one, end in zip(openings, ends, strict=True):
        own = [(one.line, one.text), *_from(lines, one.line + 1, end)]
        blocks.append((one.number, joined(own, going_on).strip(), one.line))
    metadata = {**control_fields(above), **front.metadata}
    occurrences: Counter[str] = Counter()
    divisions = Divisions()
    for number, passage, line in blocks:
        if fault := control_fault("the number", number):
            problems.add(InputError(fault, path, place_of(line), code="source.invalid"))
            continue
        occurrences[number] += 1
        passage_id = make_id(document_id, number, occurrences[number])
        yield Passage(
            id=passage_id,
            document_id=document_id,
            passage_id=number,
            text=passage,
            document_title=title,
            parent=divisions.place(number, passage_id),
            metadata=metadata,
            source=f"{text.source}:{place_of(line)}",
        )


def _has_headings(text: str) -> bool:
    """Return whether Markdown headings part a text, as they do a policy without numbers."""
    lines = text.splitlines()
    fenced = fenced_lines(lines)
    marked = with_headings(lines, fenced)
    found = sum(at not in fenced and bool(markdown_heading(line)) for at, line in enumerate(marked))
    return found >= FEWEST_HEADINGS


def _title(lines: list[str], going_on: frozenset[int]) -> tuple[str, str]:
    """Split what comes before the first number into the title and the rest."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if not filled:
        return "", ""
    at = next((index for index in filled if is_title(lines[index])), filled[0])
    title = heading(lines[at].strip())
    rest = filled[0] + 1 if title and at == filled[0] else 0
    return title, joined(_from(lines, rest, len(lines)), going_on).strip()


def _has_sentence(text: str) -> bool:
    """Return whether a paragraph of a text has the words of a sentence."""
    return any(len(words(one[:_SENTENCE])) >= FEWEST_WORDS for one in text.split("\n\n"))


def _from(lines: list[str], start: int, end: int) -> list[tuple[int, str]]:
    """Return some of the lines, each with its place."""
    return [(place, lines[place].rstrip()) for place in range(start, end)]
