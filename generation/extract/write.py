"""Write what was chosen: what is not stated, one paragraph a rule, quotations with citations.

Every run of words between two ellipses is a stretch of the passage's text, white space folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generation.extract.asked import AskedKind, asked_kinds
from generation.extract.choose import Chosen, Selection
from generation.extract.margins import WRITE
from generation.extract.silence import NotStated
from generation.extract.units import rule_of
from generation.records import Citation, Conflict, Extract, LeftOut, QuotedStatement, StatementRole
from generation.statements.forces import duty_of
from generation.statements.passages import announces, fold, statements_of, stretches_of
from generation.statements.tables import Piece
from generation.statements.units import stretches_in
from generation.statements.values import PATTERNS, ValueKind
from generation.text.labels import distinct_labels, heading_label, number_label
from generation.text.markup import without_marks
from generation.text.phrases import DIFFER, ELLIPSIS, NOT_QUOTED, UNSURE
from generation.text.sanitize import as_shown
from generation.verify.checks.contradictions import sides_of
from search.records import Hit, Passage, cited_as

_VALUES: Mapping[AskedKind, ValueKind] = {
    "time": "time", "date": "time", "money": "money", "percent": "percent",
}  # fmt: skip
_CLAUSE = re.compile(r"(?:[^,;:.()]|[.,](?=\d))+")
_DANGLING = re.compile(r"[,;]?\s+(?:and|or|und|oder|et|ou)$")
"""What joins an item to the next one, which is left out."""


def answer_line(question: str, text: str) -> str:
    """Return the clause of a text that has the value asked for.

    Empty where it is not known which of several values is asked for, and where none is.
    """
    asked = asked_kinds(question)
    values = {value for kind, value in _VALUES.items() if kind in asked}
    found = [one for value in sorted(values) for one in PATTERNS[value].finditer(text)]
    figures = [one for one in found if any(map(str.isdigit, one[0]))] or found
    if len({one[0].casefold() for one in figures}) != 1:
        return ""
    value = figures[0]
    clauses = (one[0].strip() for one in _CLAUSE.finditer(text)
               if one.start() <= value.start() and value.end() <= one.end())  # fmt: skip
    clause = next(clauses, value[0])
    return clause if len(clause.split()) <= WRITE.glance else value[0]


def write(
    question: str,
    hits: Sequence[Hit],
    selection: Selection,
    absent: NotStated,
    conflicts: Sequence[Conflict] = (),
) -> tuple[str, tuple[Citation, ...], Extract]:
    """Return the text of the answer, its citations in the order of their numbers, and its parts."""
    writer = _Writer(hits, selection, answer_line_of(question, selection))
    rules = [writer.paragraph(group) for group in writer.rules()]
    differing = [writer.differ(one) for one in conflicts]
    opening = [*absent.sentences(), UNSURE if selection.unsure else ""]
    parts = [*differing, *opening, *rules, writer.not_quoted()]
    return "\n\n".join(filter(None, parts)), writer.citations(), writer.extract(absent)


def answer_line_of(question: str, selection: Selection) -> str:
    """Return the words to be set in bold; empty where the best unit is short, or a whole list."""
    best = selection.best
    roles = {best.unit.statement.pieces[index].role for index in best.unit.pieces}
    is_list = best.role == "row" or (best.role != "item" and bool({"item", "row"} & roles))
    if is_list or best.unit.words <= WRITE.glance:
        return ""
    return answer_line(question, best.unit.own)


@dataclass(frozen=True, slots=True)
class _Quotation:
    text: str
    """As it is shown; runs are parted by ellipses."""
    runs: tuple[str, ...]
    """Each a stretch of the source."""
    twins: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Index of another hit that says the same, and its words as stretches of their source."""


class _Writer:
    """Writes one answer; gives numbers to passages in the order in which they are first cited."""

    def __init__(self, hits: Sequence[Hit], selection: Selection, line: str) -> None:
        self._hits = hits
        self._selection = selection
        self._line = line
        self._is_line_shown = False
        self._numbers: dict[int, int] = {}
        self._citations: list[Citation] = []
        self._named: set[str] = set()
        """Documents whose names were written."""
        self._statements: list[QuotedStatement] = []
        self._labels = distinct_labels(hit.passage for hit in hits)

    def citations(self) -> tuple[Citation, ...]:
        """Return what was cited so far, by number."""
        return tuple(sorted(self._citations, key=lambda citation: citation.number))

    def extract(self, absent: NotStated) -> Extract:
        """Return what was quoted so far, statement by statement."""
        left_out = tuple(
            LeftOut(self._hits[one.hit].passage, one.kind, one.unit.text)
            for one in self._selection.left_out
        )
        best, made = self._selection.best, self._statements
        if self._is_line_shown:
            line = self._records("answer", best.hit, best.kind, [self._line], best.unit.text)
            made = [*line, *made]
        return Extract(tuple(made), left_out, absent.to_json(), self._selection.unsure)

    def rules(self) -> list[list[int]]:
        """Return the quoted hits by rule: the best rule first, and of it the best passage."""
        rules: dict[tuple[str, str], list[int]] = {}
        hits = dict.fromkeys(one.candidate.hit for one in self._selection.chosen)
        for hit in sorted(hits, key=lambda hit: (hit != self._selection.best.hit, hit)):
            passage = self._hits[hit].passage
            rules.setdefault((passage.document_id, rule_of(passage)), []).append(hit)
        best = self._selection.best.hit
        return [
            sorted(group, key=lambda hit: (hit != best, self._hits[hit].passage.order))
            for group in rules.values()
        ]

    def paragraph(self, group: Sequence[int]) -> str:
        """Return what is quoted of a rule: a line, or a list where several passages make it up."""
        first = self._hits[group[0]].passage
        if len(group) == 1:
            return f"{self._heading(first, first.passage_id)}: {self._quoted(group[0])}"
        rule = rule_of(first)
        lines = [f"{self._heading(first, rule)}:"]
        for hit in group:
            own = self._hits[hit].passage.passage_id.strip()[len(rule) :].strip(". ")
            lines.append(f"- {own}: {self._quoted(hit)}" if own else f"- {self._quoted(hit)}")
        return "\n".join(lines)

    def differ(self, conflict: Conflict) -> str:
        """Return the values that two quoted provisions set differently, side by side."""
        places = {hit.id: place for place, hit in enumerate(self._hits)}
        marks = [self._cite(places[side.hit.id], [side.value]) for side in conflict]
        lines = [f"- {side} {mark}" for side, mark in zip(sides_of(conflict), marks, strict=True)]
        return "\n".join([DIFFER, *sorted(lines, key=lambda line: line.rpartition("[")[2])])

    def not_quoted(self) -> str:
        """Return the parts of a rule that was asked for which there was no room for."""
        quoted = {one.candidate.hit for one in self._selection.chosen}
        hits = dict.fromkeys(one.hit for one in self._selection.left_out if one.is_named)
        passages = [self._hits[hit].passage for hit in hits if hit not in quoted]
        documents = {self._hits[hit].document_id for hit in quoted}
        labels = []
        for passage in passages:
            number = number_label(passage.passage_id)
            named = {passage.document_id} != documents
            labels.append(f"{self._labels[passage.document_id]} {number}" if named else number)
        return f"{NOT_QUOTED} {', '.join(labels)}." if labels else ""

    def _heading(self, passage: Passage, number: str) -> str:
        document = self._labels[passage.document_id]
        is_named = self._named == {document} and len(document) > WRITE.repeated_title
        self._named.add(document)
        label = number_label(number) if is_named else cited_as(document, number_label(number))
        label, heading = label[:1].upper() + label[1:], heading_label(passage)
        return f"**{label}** ({heading})" if heading else f"**{label}**"

    def _quoted(self, hit: int) -> str:
        chosen = [one for one in self._selection.chosen if one.candidate.hit == hit]
        for one in chosen:
            runs = stretches_in(one.statement, one.pieces)
            self._statements += self._records("rule", hit, one.candidate.kind, runs, " ".join(runs))
        is_asked_for = self._hits[hit].scores.number is not None
        return " ".join(
            f"“{self._shown(quotation.text)}” {self._markers(hit, quotation)}"
            for quotation in _quotations_of(chosen, self._hits[hit].text, is_asked_for)
        )

    def _records(
        self, role: StatementRole, hit: int, kind: str, quotes: Iterable[str], whole: str
    ) -> list[QuotedStatement]:
        passage, duty = self._hits[hit].passage, duty_of(whole)
        number = self._numbers.setdefault(hit, len(self._numbers) + 1)
        heading = heading_label(passage)
        return [
            QuotedStatement(role, kind, number, passage, quote, heading, *duty) for quote in quotes
        ]

    def _shown(self, quoted: str) -> str:
        text, line = as_shown(quoted), as_shown(self._line)
        if line and not self._is_line_shown and line in text and "*" not in line:
            self._is_line_shown = True
            return text.replace(line, f"**{line}**", 1)
        return text

    def _markers(self, hit: int, quotation: _Quotation) -> str:
        own = self._cite(hit, quotation.runs)
        return own + "".join(self._cite(twin, words) for twin, words in quotation.twins)

    def _cite(self, hit: int, quotes: Iterable[str]) -> str:
        number = self._numbers.setdefault(hit, len(self._numbers) + 1)
        passage = self._hits[hit].passage
        self._citations += [Citation(number, passage, quote) for quote in quotes]
        return f"[{number}]"


def _quotations_of(chosen: Sequence[Chosen], source: str, is_asked_for: bool) -> list[_Quotation]:
    """Return the quotations of one passage, in the order of its text.

    Statements that other passages repeat are quoted apart, for they carry further citations. Of a
    rule that was asked for, ellipses also show what is left out before and behind them.
    """
    apart = groupby(chosen, key=lambda one: [twin.hit for twin in one.twins])
    made = [_quotation(list(group), source) for _, group in apart]
    if made and is_asked_for:
        stating = [at for at, one in enumerate(statements_of(source)) if not one.heading]
        first, last = chosen[0].candidate.place, chosen[-1].candidate.place
        if stating and first > stating[0]:
            made[0] = replace(made[0], text=f"{ELLIPSIS} {made[0].text}")
        if stating and last < stating[-1] and not made[-1].text.endswith(ELLIPSIS):
            made[-1] = replace(made[-1], text=f"{made[-1].text} {ELLIPSIS}")
    return made


def _quotation(chosen: Sequence[Chosen], source: str) -> _Quotation:
    runs: list[list[Piece]] = []
    for quote in chosen:
        pieces = quote.statement.pieces
        for before, index in zip((None, *quote.pieces), quote.pieces, strict=False):
            if before is not None:
                follows = before == index - 1
            else:
                follows = bool(runs) and index == 0 and _joins(runs[-1][-1], pieces[0], source)
            if follows:
                runs[-1].append(pieces[index])
            else:
                runs.append([pieces[index]])
    apart = sum(piece.role == "item" for run in runs for piece in run) >= WRITE.items_apart
    last = chosen[-1]
    left_out = last.pieces[-1] != len(last.statement.pieces) - 1
    unfinished = left_out or announces(runs[-1][-1].text)
    shown = [_laid_out(run, apart) for run in runs]
    shown[:-1] = [_DANGLING.sub("", one) for one in shown[:-1]]
    shown[-1] = _DANGLING.sub("", shown[-1]) if left_out else shown[-1]
    text = f" {ELLIPSIS} ".join(shown)
    text = text.replace(f"{ELLIPSIS} \n", f"{ELLIPSIS}\n")
    twins: dict[int, tuple[str, ...]] = {}
    for twin in (twin for quote in chosen for twin in quote.twins):
        twins[twin.hit] = (*twins.get(twin.hit, ()), *twin.unit.stretches)
    return _Quotation(
        f"{text} {ELLIPSIS}" if unfinished else text,
        tuple(stretch for run in runs for stretch in stretches_of(run)),
        tuple(twins.items()),
    )


def _joins(last: Piece, first: Piece, source: str) -> bool:
    """Return whether a statement directly follows another one; a heading may be between them.

    Behind a clause that announces a list in passages of its own comes what it does not announce.
    """
    if last.role == "lead" and announces(last.text):
        return False
    if last.role == "row":
        # What follows a table follows its mark; another table is shown apart.
        return first.role != "row" and f"{last.text} {first.text}" in fold(without_marks(source))
    return f"{last.text} {first.text}" in fold(source)


def _laid_out(run: Sequence[Piece], apart: bool) -> str:
    parts: list[str] = []
    for before, piece in zip((None, *run), run, strict=False):
        beside_list = "item" in (piece.role, before.role if before else "")
        if piece.role == "row" or (apart and beside_list):
            gap = "\n" + "  " * piece.depth
        else:
            gap = "" if before is None else "\n" if before.role == "row" else " "
        parts.append(gap + (piece.cells or piece.text))
    return "".join(parts)
