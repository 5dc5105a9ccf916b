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

The number and its text are parted by a tab or by spaces (see `indexer.numbering.line_labels`).
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
from indexer.numbering.book_codes import titled, without_codes
from indexer.numbering.contents import contents_lines
from indexer.numbering.divisions import division_rank
from indexer.numbering.fences import fenced_lines
from indexer.numbering.headings import with_marked_headings, with_unmarked_headings
from indexer.numbering.line_labels import heading, is_cited, markdown_heading, parse_line
from indexer.numbering.line_wrapping import continuations, joined
from indexer.numbering.lines_apart import lines_apart
from indexer.numbering.order_filter import Opening, counted_letters, real_openings
from indexer.outline import FEWEST_WORDS, PREAMBLE, WHOLE, outline
from indexer.problems import Problems
from indexer.readers.files import is_text, read_text
from indexer.readers.frontmatter import FrontMatter, split_front_matter
from indexer.readers.labels import control_fault
from indexer.readers.outlined import outlined_passages
from indexer.readers.protocol import BEGINNING
from indexer.readers.text.law import TITLE, LawText, law_text
from indexer.readers.text.outline import is_relative, text_blocks
from indexer.structuring.readings import FEWEST_COUNTED, best
from indexer.structuring.series import Numbers
from indexer.titles import is_title
from search.errors import InputError
from search.provisions.numbering import COUNTED_WORDS, container_kind, segments
from search.records import Passage
from search.text.analyzer import words

NAMED_SECTIONS = frozenset(
    {
        "background", "definitions", "disclaimer", "glossary", "interpretation", *COUNTED_WORDS,
    }
)  # fmt: skip
"""Words that open a passage when they come before a tab, alone on a line."""

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
        return any(map(parse_line, lines)) or bool(Numbers(lines).units)

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
        whole = front.body.split("\n")
        apart, places = lines_apart(whole, fenced_lines(whole))

        def place_of(at: int) -> int:
            return front.first_line + places[at]

        bare = without_codes(apart)
        problems.leave_out(source, bare.left_out(place_of))
        lines, code = bare.texts, bare.code
        fenced = fenced_lines(lines)
        contents = contents_lines(lines)
        problems.leave_out(
            source,
            [LeftOut(lines[at], TABLE_OF_CONTENTS, place_of(at)) for at in contents],
        )
        lines = ["" if at in contents else line for at, line in enumerate(lines)]
        lines = with_marked_headings(lines, fenced)
        text = _Text(path, source, front, code, lines, fenced, place_of)
        law, openings = _law_or_openings(lines, fenced, place_of)

        def as_law(own: Problems) -> Iterator[Passage]:
            return _act_passages(text, law, own)

        def as_outline(own: Problems) -> Iterator[Passage]:
            found = outline(text_blocks(lines, fenced))
            found = replace(found, title=titled(found.title, code))
            return outlined_passages(found, path, source, own, lambda at: place_of(at - 1), front)

        def as_numbers(own: Problems) -> Iterator[Passage]:
            return _numbered(text, openings, own)

        is_act = law.is_law or law.is_headed or law.is_divided
        is_act = is_act or (not openings and law.has_headings)
        typed = _are_typed(lines, openings)
        relative = (typed or not is_act) and is_relative(lines, fenced)
        if typed and not relative:
            yield from as_numbers(problems)
            return
        ways = [as_law, as_numbers, as_outline]
        if not is_act:
            first = as_outline if relative else as_numbers
            ways.sort(key=lambda way: way is not first)
        yield from best(ways, law.counted, problems)


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


def _numbered(
    text: _Text, openings: list[tuple[int, str, str]], problems: Problems
) -> Iterator[Passage]:
    """Yield the passages of a text whose numbers are written out: `3.2.(1)`, `Part 1.Chapter 2`."""
    path, front, lines, place_of = text.path, text.front, text.lines, text.place_of
    going_on = continuations(lines, text.fenced)
    above = lines[: openings[0][0]] if openings else lines
    title, preamble = _title(above, going_on)
    if not openings and not (preamble and _has_sentence(front.body)):
        problems.add(
            InputError(
                "no line begins with a number; number the passages first",
                path,
                code="source.empty",
            )
        )
        return
    if front.title and title and words(title) != words(front.title):
        problems.leave_out(text.source, [LeftOut(title, TITLE)])
    title = front.title or titled(title, text.code)
    document_id = front.document_id or path.stem
    if refused := _id_fault(document_id, path):
        problems.add(refused)
        return
    blocks = _blocks(lines, openings, going_on) if openings else []
    if preamble:
        number = " ".join(title.split()) or (PREAMBLE if openings else WHOLE)
        blocks.insert(0, (number, preamble, 0))
    metadata = {**control_fields(above), **front.metadata}
    occurrences: Counter[str] = Counter()
    divisions = _Divisions()
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


def _law_or_openings(
    lines: list[str], fenced: frozenset[int], place_of: Callable[[int], int]
) -> tuple[LawText, list[tuple[int, str, str]]]:
    """Return a text as a law or a document with headings, and the passages that numbers open.

    Where it has no number and no mark, short lines above its paragraphs are headings.
    """
    law = law_text(lines, fenced, place_of)
    typed = any("\t" in line for line in lines)
    if (law.is_law or law.is_headed) and not typed:
        return law, []
    openings = _openings(lines, fenced)
    marked = None if openings or law.has_headings else with_unmarked_headings(lines)
    return (law if marked is None else law_text(marked, fenced, place_of)), openings


def _are_typed(lines: Sequence[str], openings: Sequence[tuple[int, str, str]]) -> bool:
    """Return whether a tab parts most numbers from their text: their author wrote them out."""
    read = (parse_line(lines[line]) for line, _, _ in openings)
    tabbed = sum(one is not None and one.tabbed for one in read)
    return 2 * tabbed > len(openings) >= FEWEST_COUNTED


def _has_headings(text: str) -> bool:
    """Return whether Markdown headings part a text, as they do a policy without numbers."""
    lines = text.splitlines()
    fenced = fenced_lines(lines)
    marked = with_marked_headings(lines, fenced)
    found = sum(at not in fenced and bool(markdown_heading(line)) for at, line in enumerate(marked))
    return found >= FEWEST_HEADINGS


def _act_passages(text: _Text, law: LawText, problems: Problems) -> Iterator[Passage]:
    """Yield the passages of a law, or of a document with headings alone."""
    front = text.front
    document_id = front.document_id or text.path.stem
    if refused := _id_fault(document_id, text.path):
        problems.add(refused)
        return
    act = law.act(document_id, front.title, text.code)
    act.metadata = {**act.metadata, **front.metadata}
    problems.leave_out(text.source, act.left_out)
    yield from passages_of(act, DEFAULT_GRANULARITY, text.source)


def _id_fault(document_id: str, path: Path) -> InputError | None:
    """Return why a document cannot have an ID, or None."""
    if fault := control_fault("the name of the file", document_id):
        what = f"{fault}, or put a document_id in the front matter"
        return InputError(what, path, code="source.invalid")
    return None


def _openings(lines: list[str], fenced: frozenset[int]) -> list[tuple[int, str, str]]:
    """Return (line, number, rest of the line) of each line that opens a passage."""
    letters = counted_letters(lines, fenced)
    title = next((index for index, line in enumerate(lines) if line.strip()), 0)
    candidates = [
        Opening(index, numbered)
        for index, line in enumerate(lines)
        if index not in fenced
        and (numbered := parse_line(line, letters))
        and not (numbered.bare and index - 1 > title and is_cited(lines[index - 1]))
    ]
    found = [(o.line, number, o.numbered.text) for o, number in _real(candidates)]
    for index, line in enumerate(lines):
        word = line.strip()
        if "\t" in line and word.lower() in NAMED_SECTIONS and index not in fenced:
            found.append((index, word, ""))
    return sorted({opening[0]: opening for opening in found}.values())


def _real(candidates: list[Opening]) -> list[tuple[Opening, str]]:
    """Return the openings that fit the order of the text, each with its full number.

    Bold labels such as `**2.**` are not among the rules where others number them.
    """
    if any(o.numbered.bare and not o.numbered.bold for o in candidates):
        candidates = [o for o in candidates if not (o.numbered.bare and o.numbered.bold)]
    return real_openings(candidates)


class _Divisions:
    """The parts and chapters that are open: rules whose numbers run on through them are below."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def place(self, number: str, passage_id: str) -> str | None:
        """Return the ID of the passage that one with a number is below; None: its number tells.

        Args:
            number: as the source writes it.
            passage_id: of the passage, which stays open if it is a part or a chapter.
        """
        parts = segments(number)
        if len(parts) != 1:
            return None
        rank = division_rank(number)
        if rank is not None:
            self._open = [one for one in self._open if one[0] < rank]
        above = self._open[-1][1] if self._open else None
        if rank:
            self._open.append((rank, passage_id))
        return above if container_kind(parts[0]) or parts[0][0].isdigit() else None


def _title(lines: list[str], going_on: frozenset[int]) -> tuple[str, str]:
    """Split what comes before the first number into the title and the rest."""
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if not filled:
        return "", ""
    at = next((index for index in filled if is_title(lines[index])), filled[0])
    first = lines[at].strip()
    title = markdown_heading(first) or heading(first)
    rest = filled[0] + 1 if title and at == filled[0] else 0
    return title, joined(_from(lines, rest, len(lines)), going_on).strip()


def _has_sentence(text: str) -> bool:
    """Return whether a paragraph of a text has the words of a sentence."""
    return any(len(words(one[:_SENTENCE])) >= FEWEST_WORDS for one in text.split("\n\n"))


def _blocks(
    lines: list[str], openings: list[tuple[int, str, str]], going_on: frozenset[int]
) -> list[tuple[str, str, int]]:
    """Return (number, text, line) of each passage: its opening and what continues it."""
    blocks = []
    ends = [opening[0] for opening in openings[1:]] + [len(lines)]
    for (start, number, rest), end in zip(openings, ends, strict=True):
        own = [(start, rest), *_from(lines, start + 1, end)]
        blocks.append((number, joined(own, going_on).strip(), start))
    return blocks


def _from(lines: list[str], start: int, end: int) -> list[tuple[int, str]]:
    """Return some of the lines, each with its place."""
    return [(place, lines[place].rstrip()) for place in range(start, end)]
