"""The structure of documents as a tree for people, with what they should look at below it."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from generation.text.sanitize import one_line
from indexer.load.report import count, guess_lines, left_out_lines
from indexer.load.trust import ENOUGH

if TYPE_CHECKING:
    from indexer.load.trust import Trust
    from indexer.load.warnings import StructureWarning, WarningKind
    from indexer.review.structure import DocumentStructure, Structure
    from search import Passage
    from search.records import Kind

NUMBER_COLUMNS = 44
"""Most columns for indented numbers; a longer one moves the rest of its line."""

FEWEST_WORD_COLUMNS = 24
"""Columns for first words, however narrow the terminal is."""

KIND_COLUMNS = 10

INDENT = "  "
MARK = "!"
"""Stands before a passage that a warning is about."""

SHOWN = 10
"""Warnings of a kind that are spelt out; the tree marks them all."""

TITLES: dict[WarningKind, str] = {
    "gap": "Gaps in the numbers",
    "jump": "Numbers out of order",
    "duplicate": "Numbers that occur more than once",
    "orphan": "Numbers whose parent is missing",
    "inside": "Numbers inside a passage that may begin a new one",
    "long": "Very long passages",
}


def structure_lines(structure: Structure) -> Iterator[str]:
    """Yield the lines of the whole page: documents, then what is in none of them."""
    width = shutil.get_terminal_size((88, 24)).columns
    for place, document in enumerate(structure.documents):
        if place:
            yield ""
        yield from _document(document, width)
    notes = [*guess_lines(structure.guesses), *left_out_lines(structure.left_out)]
    if structure.duplicates:
        number = count(len(structure.duplicates), "passage")
        notes.append(f"Left out {number} given twice with the same ID.")
    notes += [f"Skipped {file.path}: {file.reason}." for file in structure.skipped]
    if notes:
        yield ""
        yield from map(one_line, notes)


def _document(document: DocumentStructure, width: int) -> Iterator[str]:
    kinds = Counter(passage.kind for passage in document.passages)
    counted = ", ".join(_counted(number, kind) for kind, number in kinds.most_common())
    yield click.style(one_line(document.title), bold=True)
    passages = count(len(document.passages), "passage")
    yield _dim(f"DocumentID {one_line(document.document_id)}, {passages}: {counted}")
    yield _dim(trust_line(document.trust))
    doubtful = {warning.id for warning in document.warnings}
    columns = _number_columns(document.passages)
    for passage in document.passages:
        if not passage.breadcrumb:
            yield ""
        yield _line(passage, columns, width, marked=passage.id in doubtful)
    yield ""
    yield from _warnings(document.warnings)


def trust_line(trust: Trust) -> str:
    """Return the score of trust in a reading, with its parts."""
    parts = (
        f"consecutive numbers {trust.counting:.2f}, text below numbers "
        f"{trust.numbered:.2f}, usual lengths {trust.length:.2f}, unique numbers "
        f"{trust.unique:.2f}"
    )
    if trust.found < 1:
        parts += f", numbers that opened a passage {trust.found:.2f}"
    advice = "" if trust.score >= ENOUGH else f"; check it: {trust.reason()}"
    return f"Trust {trust.score:.2f} ({parts}){advice}"


def _counted(number: int, kind: Kind) -> str:
    return f"{number:,} {kind}" if kind == "guidance" else count(number, kind)


def _number_columns(passages: Sequence[Passage]) -> int:
    widest = max(len(passage.breadcrumb) * len(INDENT) + len(passage.passage_id)
                 for passage in passages)  # fmt: skip
    return min(widest, NUMBER_COLUMNS)


def _line(passage: Passage, columns: int, width: int, *, marked: bool) -> str:
    """Return one passage: its mark, number, kind and first words."""
    mark = click.style(MARK, fg="yellow") if marked else " "
    indent = INDENT * len(passage.breadcrumb)
    number = one_line(passage.passage_id)
    padding = " " * max(0, columns - len(indent) - len(number))
    used = 2 + max(columns, len(indent) + len(number)) + 2 + KIND_COLUMNS + 2
    words = _first_words(passage.text, max(width - used, FEWEST_WORD_COLUMNS))
    heading = passage.kind == "heading"
    bold_number = click.style(number, bold=True)
    kind = _dim(f"{passage.kind:{KIND_COLUMNS}}")
    shown = click.style(words, bold=True) if heading and words else words
    return f"{mark} {indent}{bold_number}{padding}  {kind}  {shown}".rstrip()


def _first_words(text: str, columns: int) -> str:
    """Return the beginning of a text, cut between words where that loses little."""
    # Enough for the line: a passage may have a million words.
    line = ""
    for part in filter(None, map(one_line, text[: 8 * columns].split("\n"))):
        between = " · " if line[-1:].isalnum() and part[0].isalnum() else " "
        line = f"{line}{between}{part}" if line else part
    if len(line) <= columns:
        return line
    cut = line[: columns - 1]
    at_word = cut.rpartition(" ")[0]
    return (at_word if 2 * len(at_word) > columns else cut) + "…"


def _warnings(warnings: Sequence[StructureWarning]) -> Iterator[str]:
    """Yield the warnings of a document by kind."""
    if not warnings:
        yield "No warnings about the numbers."
        return
    for kind, title in TITLES.items():
        of_kind = [warning for warning in warnings if warning.kind == kind]
        if not of_kind:
            continue
        yield click.style(f"{title} ({len(of_kind):,})", fg="yellow")
        for warning in of_kind[:SHOWN]:
            yield f"  {one_line(warning.message)}  {_dim(one_line(warning.source))}"
        if len(of_kind) > SHOWN:
            yield _dim(f"  … and {len(of_kind) - SHOWN:,} more, marked {MARK} above")


def _dim(text: str) -> str:
    return click.style(text, dim=True)
