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

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from indexer.blocks import TABLE_OF_CONTENTS, LeftOut
from indexer.control import control_fields
from indexer.problems import FEWEST_COUNTED, Problems
from indexer.readers.files import is_text, read_text, unusable
from indexer.readers.frontmatter import FrontMatter, split_front_matter
from indexer.readers.labels import control_fault
from indexer.readers.outlined import outlined_passages
from indexer.readers.protocol import BEGINNING
from indexer.readers.text.law import TITLE, LawText, law_text
from indexer.readers.text.markup import with_headings
from indexer.readers.text.outline import text_blocks
from indexer.structuring.acts.eu_titles import own_title
from indexer.structuring.acts.granularity import DEFAULT_GRANULARITY
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.labels.book_codes import titled, without_codes
from indexer.structuring.labels.labels import line_label
from indexer.structuring.labels.line_labels import heading, markdown_heading, written_number
from indexer.structuring.lines.contents import contents_lines
from indexer.structuring.lines.fences import fenced_lines
from indexer.structuring.lines.lines_apart import lines_apart
from indexer.structuring.outline import (
    FEWEST_WORDS,
    PREAMBLE,
    Outline,
    OutlinePassage,
    outline,
)
from indexer.structuring.pages.line import Line
from indexer.structuring.units.readings import Way, best
from indexer.structuring.units.series import Numbers
from indexer.titles import is_title
from search.provisions.numbering import COUNTED_WORDS, container_kind, segments
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
        front = split_front_matter(read_text(path, problems), path, source, problems)
        document_id = front.document_id or path.stem
        if fault := control_fault("the name of the file", document_id):
            raise unusable(f"{fault}, or put a document_id in the front matter", path)
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
        law = law_text(with_headings(lines, fenced), fenced, place_of)
        if openings := written_out(law.lines):
            found = _written(law, openings, front, bare.code)
            for one in found.passages:
                if fault := control_fault("the number", one.number):
                    problems.refuse(fault, path, one.place)
            yield from outlined_passages(found, path, source, problems, front=front)
            return

        def as_law(own: Problems) -> Iterator[Passage]:
            act = law.act(document_id, front.title, bare.code)
            act.metadata = {**act.metadata, **front.metadata}
            own.leave_out(source, act.left_out)
            return passages_of(act, DEFAULT_GRANULARITY, source)

        def as_outline(own: Problems) -> Iterator[Passage]:
            found = outline(text_blocks(law.lines), law.left_out)
            below = (line.text for line in law.lines if line.text != found.title)
            found = replace(found, title=titled(own_title(found.title, below), bare.code))
            return outlined_passages(found, path, source, own, front=front)

        ways: dict[str, Way] = {"law": as_law, "outline": as_outline}
        likeliest = (
            ways if law.is_law or law.is_headed or law.is_divided else dict(reversed(ways.items()))
        )
        yield from best(likeliest, law.counted, source, problems)


def _written(
    law: LawText, openings: Sequence[OutlinePassage], front: FrontMatter, code: str
) -> Outline:
    """Return the passages of a text whose numbers are written out: `3.2.(1)`, `Part 1.Chapter 2`.

    Args:
        law: the text.
        openings: those that open a passage.
        front: what the file says of itself.
        code: of the book; empty where its numbers stand alone.
    """
    texts = [line.block if isinstance(line.block, str) else line.text for line in law.lines]
    above = texts[: openings[0].place]
    title, preamble = _title(above)
    other = front.title and title and words(title) != words(front.title)
    left_out = (*law.left_out, *([LeftOut(title, TITLE)] if other else ()))
    title = front.title or titled(title, code)
    passages = [OutlinePassage(title or PREAMBLE, preamble, front.first_line)] if preamble else []
    ends = [*(one.place for one in openings[1:]), len(texts)]
    for one, end in zip(openings, ends, strict=True):
        text = "\n".join([one.text, *texts[one.place + 1 : end]])
        passages.append(OutlinePassage(one.number, text, law.lines[one.place].place))
    return Outline(title, tuple(passages), left_out, control_fields(above))


def _has_headings(text: str) -> bool:
    """Return whether Markdown headings part a text, as they do a policy without numbers."""
    lines = text.splitlines()
    fenced = fenced_lines(lines)
    marked = with_headings(lines, fenced)
    found = sum(at not in fenced and bool(markdown_heading(line)) for at, line in enumerate(marked))
    return found >= FEWEST_HEADINGS


def _title(lines: list[str]) -> tuple[str, str]:
    """Split what comes before the first number into the title and the rest."""
    at = next((at for at, line in enumerate(lines) if is_title(line)), 0)
    title = heading(lines[at]) if lines else ""
    return title, "\n".join(lines[1 if title and at == 0 else 0 :]).strip()


def _has_sentence(text: str) -> bool:
    return any(len(words(one[:_SENTENCE])) >= FEWEST_WORDS for one in text.split("\n\n"))


NAMED_SECTIONS = frozenset(
    {"background", "definitions", "disclaimer", "glossary", "interpretation", *COUNTED_WORDS}
)
"""Words that open a passage when they come before a tab, alone on a line."""

_WHOLE = re.compile(r"\.(?:\(\w+\)|[A-Z][a-z])")
"""In `1.1.1.(1)` and `Part 1.Chapter 2`: nobody writes so whose numbers say only their place."""
_BARE = re.compile(r"\w{1,3}[.)]?")
"""A number of one part; what comes again is that of a list."""
_RELATIVE = re.compile(r"\s*(?:\(\d+[A-Z]?\)\s|Guidance\s*$)", re.IGNORECASE)
_ALONE = re.compile(r"[A-Z]?\d\S*\D")
"""A number without a text: `2.4.4.Individuals.`."""
_IN_APPENDIX = re.compile(r"A[\d.]")
"""How numbers begin that name an appendix by its letter alone: `A2.1.1` of `APP2`."""


def written_out(lines: Sequence[Line]) -> list[OutlinePassage]:
    """Return the lines that open passages; none where numbers say no more than their place.

    The text of each is what follows the number, its place the 0-based line.
    """
    openings = list(_openings(lines))
    spaced = sum("\t" not in line.text and line_label(line.text) is not None for line in lines)
    if spaced >= len(openings) or len(openings) < FEWEST_COUNTED:
        return []
    counts = Counter(one.number for one in openings)
    whole = any(map(_WHOLE.search, counts))
    lists = {number for number, count in counts.items() if count > 1 and _BARE.fullmatch(number)}
    if not whole and (lists or any(_RELATIVE.match(line.text) for line in lines)):
        return []
    return [
        one
        for one, below in zip_longest(openings, openings[1:])
        if one.number not in lists
        or (below and segments(below.number)[:1] == segments(one.number) != segments(below.number))
    ]


def _openings(lines: Sequence[Line]) -> Iterator[OutlinePassage]:
    attachment = ""
    marked = any(line.rank for line in lines)
    for at, line in enumerate(lines):
        text = f"# {line.text}" if line.rank else line.text
        if marked and "\t" not in text and (spaced := line_label(text)):
            yield OutlinePassage(*spaced, at)
            continue
        head, tab, rest = line.text.partition("\t")
        number = written_number(head)
        if number and (tab or _ALONE.fullmatch(number)):
            parts = segments(number)
            kind = container_kind(parts[0])
            if kind == "attachment" or (len(parts) == 1 and kind):
                attachment = number.rstrip(".:") if kind == "attachment" and len(parts) == 1 else ""
            if attachment and _IN_APPENDIX.match(number):
                number = f"{attachment}.{number}"
            yield OutlinePassage(number, rest, at)
        elif tab and line.text.strip().lower() in NAMED_SECTIONS:
            yield OutlinePassage(line.text.strip(), "", at)
