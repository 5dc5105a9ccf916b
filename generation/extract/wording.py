"""Put what was chosen into words: the answer line, one paragraph a rule, what is not stated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from generation.extract.answer_line import MOST_WORDS, answer_line
from generation.extract.asked import asked_kinds
from generation.extract.duties import duty_of
from generation.extract.not_stated import NotStated
from generation.extract.passages import rule_of
from generation.extract.quotations import Quotation, quotations_of
from generation.extract.selection import Chosen, Selection
from generation.records import Citation, Conflict, Extract, LeftOut, QuotedStatement, StatementRole
from generation.text.labels import distinct_labels, heading_label, number_label
from generation.text.phrases import ALSO_FOUND, DIFFER, NOT_QUOTED, UNSURE
from generation.text.sanitize import as_shown
from generation.text.statements.units import stretches_in
from generation.verify.checks.contradictions import sides_of
from search.records import Hit, Passage, cited_as

LONGEST_REPEATED_TITLE = 20
"""Characters: a document with a longer name is named once, until another one is."""

FAR_AHEAD = 1.5
"""Log-odds by which an item is ahead of the others of its list if it answers by itself."""


def write(
    question: str,
    hits: Sequence[Hit],
    selection: Selection,
    absent: NotStated,
    unsure: bool,
    conflicts: Sequence[Conflict] = (),
) -> tuple[str, tuple[Citation, ...], Extract]:
    """Return the text of the answer, its citations in the order of their numbers, and its parts.

    Args:
        question: as it was asked.
        hits: that the selection was made from.
        selection: what to quote.
        absent: what the passages do not state.
        unsure: whether the passages are only the nearest.
        conflicts: of what is quoted.
    """
    writer = _Writer(hits, selection)
    opening = UNSURE if unsure else ""
    if not unsure:
        writer.choose_line(question)
    rules = [*map(writer.paragraph, writer.rules()), writer.also()]
    differing = [writer.differ(one) for one in conflicts]
    parts = [*differing, opening, *rules, writer.not_quoted(), *absent.sentences()]
    return "\n\n".join(filter(None, parts)), writer.citations(), writer.extract(absent, unsure)


class _Writer:
    """Writes one answer; gives numbers to passages in the order in which they are first cited."""

    def __init__(self, hits: Sequence[Hit], selection: Selection) -> None:
        self._hits = hits
        self._selection = selection
        self._numbers: dict[int, int] = {}
        self._citations: list[Citation] = []
        self._line = ""
        """The words that answer, where they are part of a longer sentence."""
        self._told: set[str] = set()
        """Documents whose names were written."""
        self._statements: list[QuotedStatement] = []
        self._is_line_shown = False
        self._labels = distinct_labels(hit.passage for hit in hits)

    def citations(self) -> tuple[Citation, ...]:
        """Return what was cited so far, by number."""
        return tuple(sorted(self._citations, key=lambda citation: citation.number))

    def extract(self, absent: NotStated, unsure: bool) -> Extract:
        """Return what was quoted so far, statement by statement."""
        left_out = tuple(
            LeftOut(self._hits[one.hit].passage, one.kind, one.unit.text)
            for one in self._selection.left_out
        )
        best, made = self._selection.best, self._statements
        if self._line:
            line = self._records("answer", best.hit, best.kind, [self._line], best.unit.text)
            made = [*line, *made]
        return Extract(tuple(made), left_out, absent.to_json(), unsure)

    def choose_line(self, question: str) -> None:
        """Choose the words to be set in bold."""
        best = self._selection.best
        if self._selection.in_order:
            return
        asks = bool(asked_kinds(question)) or not best.is_named
        if asks and best.unit.words > MOST_WORDS and not self._is_one_of_several():
            self._line = answer_line(question, best.unit.own)

    def _is_one_of_several(self) -> bool:
        """Return whether the best unit is a row, an item little ahead of others, or a whole list:
        which of them answers is not known.
        """
        best = self._selection.best
        roles = [best.unit.statement.pieces[index].role for index in best.unit.pieces]
        role = best.unit.statement.pieces[best.unit.core].role
        is_list = role not in ("item", "row") and bool({"item", "row"} & {*roles})
        return role == "row" or is_list or (role == "item" and self._selection.ahead < FAR_AHEAD)

    def rules(self) -> list[list[int]]:
        """Return the quoted hits by rule: the best rule first, passages by their order."""
        rules: dict[tuple[str, str], list[int]] = {}
        best = self._selection.best
        hits = [hit for hit, _ in groupby(self._selection.chosen, key=lambda c: c.candidate.hit)]
        # A rule that was asked for is read from its beginning.
        first = hits[0] if best.is_named else best.hit
        for hit in sorted(hits, key=lambda hit: (hit != first, hit)):
            passage = self._hits[hit].passage
            rules.setdefault((passage.document_id, rule_of(passage)), []).append(hit)
        return [
            sorted(group, key=lambda h: self._hits[h].passage.order) for group in rules.values()
        ]

    def paragraph(self, group: Sequence[int]) -> str:
        """Return what is quoted of a rule: a line, or a list where several passages make it up."""
        first = self._hits[group[0]].passage
        if len(group) == 1:
            return f"{self._heading(first, first.passage_id)}: {self._quotes(group[0])}"
        rule = rule_of(first)
        lines = [f"{self._heading(first, rule)}:"]
        for hit in group:
            own = self._hits[hit].passage.passage_id.strip()[len(rule) :].strip(". ")
            lines.append(f"- {own}: {self._quotes(hit)}" if own else f"- {self._quotes(hit)}")
        return "\n".join(lines)

    def also(self) -> str:
        """Return one line for each further passage; empty without any."""
        lines = []
        for chosen in self._selection.also:
            hit = chosen.candidate.hit
            passage = self._hits[hit].passage
            heading = self._heading(passage, passage.passage_id)
            lines.append(f"- {heading}: {self._quoted(hit, [chosen], 'also')}")
        return "\n".join([ALSO_FOUND, *lines]) if lines else ""

    def differ(self, conflict: Conflict) -> str:
        """Return the values that two quoted provisions set differently, side by side."""
        places = {hit.id: place for place, hit in enumerate(self._hits)}
        marks = [self._cite(places[side.hit.id], [side.value]) for side in conflict]
        lines = [f"- {side} {mark}" for side, mark in zip(sides_of(conflict), marks, strict=True)]
        return "\n".join([DIFFER, *sorted(lines, key=lambda line: line.rpartition("[")[2])])

    def not_quoted(self) -> str:
        """Return the parts of a rule that was asked for which there was no room for."""
        quoted = {one.candidate.hit for one in (*self._selection.chosen, *self._selection.also)}
        hits = dict.fromkeys(one.hit for one in self._selection.left_out if one.is_named)
        passages = [self._hits[hit].passage for hit in hits if hit not in quoted]
        told = {self._hits[hit].document_id for hit in quoted}
        labels = []
        for passage in passages:
            number = number_label(passage.passage_id)
            named = {passage.document_id} != told
            labels.append(f"{self._labels[passage.document_id]} {number}" if named else number)
        return f"{NOT_QUOTED} {', '.join(labels)}." if labels else ""

    def _heading(self, passage: Passage, number: str) -> str:
        document = self._labels[passage.document_id]
        is_told = self._told == {document} and len(document) > LONGEST_REPEATED_TITLE
        self._told.add(document)
        label = number_label(number) if is_told else cited_as(document, number_label(number))
        label, heading = label[:1].upper() + label[1:], heading_label(passage)
        return f"**{label}** ({heading})" if heading else f"**{label}**"

    def _quotes(self, hit: int) -> str:
        return self._quoted(hit, [c for c in self._selection.chosen if c.candidate.hit == hit])

    def _quoted(self, hit: int, chosen: Sequence[Chosen], role: StatementRole = "rule") -> str:
        text, is_asked_for = self._hits[hit].text, self._hits[hit].scores.number is not None
        for one in chosen:
            runs = stretches_in(one.statement, one.pieces)
            self._statements += self._records(role, hit, one.candidate.kind, runs, " ".join(runs))
        return " ".join(
            f"“{self._shown(quotation.text)}” {self._markers(hit, quotation)}"
            for quotation in quotations_of(chosen, text, is_asked_for)
        )

    def _records(
        self, role: StatementRole, hit: int, kind: str, quotes: Iterable[str], whole: str
    ) -> list[QuotedStatement]:
        passage, duty = self._hits[hit].passage, duty_of(whole)
        number = self._numbers.setdefault(hit, len(self._numbers) + 1)
        return [
            QuotedStatement(
                role, kind, number, passage, quote, heading_label(passage),
                duty.actor, duty.duty, duty.act, duty.time,
            )
            for quote in quotes
        ]  # fmt: skip

    def _shown(self, quoted: str) -> str:
        """Return a quotation with the words that answer in bold, where it first has them."""
        text, line = as_shown(quoted), as_shown(self._line)
        if line and not self._is_line_shown and line in text and "*" not in line:
            self._is_line_shown = True
            return text.replace(line, f"**{line}**", 1)
        return text

    def _markers(self, hit: int, quotation: Quotation) -> str:
        own = self._cite(hit, quotation.runs)
        return own + "".join(self._cite(twin, words) for twin, words in quotation.twins)

    def _cite(self, hit: int, quotes: Iterable[str]) -> str:
        number = self._numbers.setdefault(hit, len(self._numbers) + 1)
        passage = self._hits[hit].passage
        self._citations += [Citation(number, passage, quote) for quote in quotes]
        return f"[{number}]"
