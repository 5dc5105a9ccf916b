"""The structure of documents for people: a tree, the readings, what differs from a file."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from generation.text.sanitize import one_line
from indexer.load.report import count, guess_lines, left_out_lines
from indexer.load.trust import ENOUGH
from search.json_form import to_json

if TYPE_CHECKING:
    from indexer.load.trust import Trust
    from indexer.load.warnings import StructureWarning, WarningKind
    from indexer.review.check import Check, Difference
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

VERSION = "version_id valid_from valid_to date_source date_means standing"
"""What JSON says of a version."""

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
    if version := document.version:
        day = f"from {version.valid_from}" if version.valid_from else "without a day"
        standing = f"; {version.standing}" if version.standing else ""
        means = f"{version.date_source}, {version.date_means}"
        yield _dim(f"Version {one_line(version.version_id)}, {day} ({means}){standing}")
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


def as_records(structure: Structure) -> list[dict[str, Any]]:
    """Return a record of each document: its trust, and its readings with the chosen one first."""
    return [
        {
            "document_id": one.document_id,
            **(to_json(one.version, VERSION) if one.version else {}),
            "trust": round(one.trust.score, 2),
            "counted": one.choice.counted if one.choice else None,
            "readings": [
                {**to_json(tried), "score": round(tried.score, 2)}
                for tried in (one.choice.tried if one.choice else ())
            ],
        }
        for one in structure.documents
    ]


def why_lines(structure: Structure) -> Iterator[str]:
    """Yield a table of each document, the chosen reading first."""
    for one in structure.documents:
        trust = f"trust {one.trust.score:.2f}"
        if one.choice is None:
            yield f"{one_line(one.document_id)}: {trust}, one way to read this format"
            continue
        counted = f"{one.choice.counted:,} numbers count on in the source"
        yield f"{one_line(one.document_id)}: {trust}, {counted}"
        yield f"  {'reading':10} {'score':>5} {'passages':>8}  numbers that opened one"
        for at, tried in enumerate(one.choice.tried):
            chosen = "chosen" if at == 0 else ""
            yield (
                f"  {tried.name:10} {tried.score:5.2f} {tried.passages:8,}  "
                f"{tried.opened:,} of {one.choice.counted:,}  {chosen}"
            ).rstrip()


SIGNS = {"missing": ("-", "red"), "extra": ("+", "green"), "text": ("~", "yellow")}
"""Kind of difference → its sign, as in a patch, and its colour."""

TEXT_CHARACTERS = 400
"""Characters of a text that are looked at for its first words."""


def check_lines(check: Check) -> Iterator[str]:
    """Yield the figures, then every difference in the order of the document."""
    yield (
        f"{check.gold:,} passages in the hand-made file, {check.read:,} read, "
        f"{check.matched:,} with the same number."
    )
    yield (
        f"precision {check.precision:.3f}, recall {check.recall:.3f}, F1 {check.f1:.3f}, "
        f"text agreement {check.text_agreement:.3f}"
    )
    if not check.differences:
        yield "Both agree."
        return
    width = shutil.get_terminal_size((88, 24)).columns
    yield ""
    yield (
        f"{count(len(check.differences), 'difference')} (- only in the hand-made "
        "file, + only read, ~ different text, with F1):"
    )
    for difference in check.differences:
        yield _difference(difference, width)


def _difference(difference: Difference, width: int) -> str:
    sign, colour = SIGNS[difference.kind]
    number = one_line(difference.passage_id)
    if difference.kind == "text":
        number += f"  {difference.agreement:.3f}"
    place = f"  {one_line(difference.source)}" if difference.source else ""
    columns = max(width - len(number) - len(place) - 4, 0)
    words = one_line(_what_differs(difference)[:TEXT_CHARACTERS])
    if len(words) > columns:
        words = words[: max(columns - 1, 0)] + "…"
    start = click.style(f"{sign} {number}", fg=colour)
    return f"{start}  {words}{click.style(place, dim=True)}"


def _what_differs(difference: Difference) -> str:
    """Return the text, or, where only words differ, these: first those that only people wrote."""
    if difference.kind != "text":
        return difference.text
    sides = (("-", difference.only_by_hand), ("+", difference.only_read))
    return "  ".join(f"{sign} {' '.join(words)}" for sign, words in sides if words)
