"""Puts what was chosen into words: a lead, one paragraph a rule, a note on what is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from generation.extract.quotations import Quotation, quotations_of
from generation.extract.selection import Selection
from generation.records import Citation
from generation.text.labels import breadcrumb_label, distinct_labels, number_label
from generation.text.obligations import DUTIES
from generation.text.sanitize import as_shown
from search.records import Hit, Passage

MOST_NAMED = 4
"""Documents that are listed by name in one sentence; more are counted."""

LONGEST_REPEATED_TITLE = 20
"""Characters: where all is from one document with a longer name, only the lead names it."""

NO_DUTY = "No wording of a duty was recognised in the passages found."
"""How an answer opens that only quotes what comes closest: the wordings known are English."""

NOT_QUOTED = "Further duties in these passages, not quoted for length:"
"""What stands before the rules whose duties found no room…"""

PARTS_NOT_QUOTED = "Further parts of these passages, not quoted for length:"
"""… and where there is more than duties: all that a rule says was asked for."""

_NUMBER_WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_SUBDIVISION = re.compile(r"(?:[.\s]*\([^()]{1,6}\))+$")


def write(hits: Sequence[Hit], selection: Selection) -> tuple[str, tuple[Citation, ...]]:
    """Return the text of the answer, and its citations in the order of their numbers."""
    writer = _Writer(hits, selection)
    parts = [writer.lead(), *map(writer.paragraph, writer.rules()), writer.note()]
    return "\n\n".join(filter(None, parts)), writer.citations()


def rule_of(passage: Passage) -> str:
    """Return the number of the rule that a passage belongs to: `3.5.8` for `3.5.8.(b)`."""
    return _SUBDIVISION.sub("", passage.passage_id.strip())


class _Writer:
    """Writes one answer; gives numbers to passages in the order in which they are first cited."""

    def __init__(self, hits: Sequence[Hit], selection: Selection) -> None:
        self._hits = hits
        self._selection = selection
        self._numbers: dict[int, int] = {}
        self._citations: list[Citation] = []
        quoted = dict.fromkeys(chosen.candidate.hit for chosen in selection.chosen)
        self._labels = distinct_labels(hit.passage for hit in hits)
        named = (self._labels[hits[hit].passage.document_id] for hit in quoted)
        self._documents = list(dict.fromkeys(named))

    def citations(self) -> tuple[Citation, ...]:
        """Return what was cited so far, by number."""
        return tuple(sorted(self._citations, key=lambda citation: citation.number))

    def rules(self) -> list[list[int]]:
        """Return the quoted hits by rule: rules by their best rank, passages by their order."""
        rules: dict[tuple[str, str], list[int]] = {}
        for hit, _ in groupby(self._selection.chosen, key=lambda chosen: chosen.candidate.hit):
            passage = self._hits[hit].passage
            rules.setdefault((passage.document_id, rule_of(passage)), []).append(hit)
        return [
            sorted(group, key=lambda h: self._hits[h].passage.order) for group in rules.values()
        ]

    def lead(self) -> str:
        """Return the sentence that says what follows."""
        count = len(self.rules())
        number = _NUMBER_WORDS[count] if count < len(_NUMBER_WORDS) else str(count)
        one, many = ("s", "") if count == 1 else ("", "s")
        subject = f"{number} provision{many} of {_listed(self._documents, 'documents')}"
        kinds = {chosen.candidate.kind for chosen in self._selection.chosen}
        if kinds & DUTIES:
            return f"{subject} bear{one} on this question:"
        if kinds == {"definition"}:
            return f"{subject} define{one} what the question asks about:"
        if "permission" in kinds:
            return f"{subject} bear{one} on this question, without the wording of a duty:"
        return f"{NO_DUTY} {subject} come{one} closest:"

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

    def note(self) -> str:
        """Return the sentence on what should be quoted and is not; empty without any."""
        left_out = self._selection.left_out
        if not left_out:
            return ""
        duties = all(candidate.is_duty for candidate in left_out)
        passages = [self._hits[candidate.hit].passage for candidate in left_out]
        counts = Counter(self._label(passage, passage.passage_id) for passage in passages)
        unit = ("duty", "duties") if duties else ("statement", "statements")
        listed = [f"{label} ({count} {unit[count > 1]})" for label, count in counts.items()]
        return f"{NOT_QUOTED if duties else PARTS_NOT_QUOTED} {_joined(listed)}."

    def _heading(self, passage: Passage, number: str) -> str:
        label, crumbs = self._label(passage, number), breadcrumb_label(passage)
        label = label[:1].upper() + label[1:]
        return f"**{label}** ({crumbs})" if crumbs else f"**{label}**"

    def _label(self, passage: Passage, number: str) -> str:
        document = self._labels[passage.document_id]
        told = self._documents == [document] and len(document) > LONGEST_REPEATED_TITLE
        return number_label(number) if told else f"{document} {number_label(number)}".strip()

    def _quotes(self, hit: int) -> str:
        chosen = [quote for quote in self._selection.chosen if quote.candidate.hit == hit]
        return " ".join(
            f"“{as_shown(quotation.text)}” {self._markers(hit, quotation)}"
            for quotation in quotations_of(chosen, self._hits[hit].text)
        )

    def _markers(self, hit: int, quotation: Quotation) -> str:
        own = self._cite(hit, quotation.runs)
        return own + "".join(self._cite(twin, words) for twin, words in quotation.twins)

    def _cite(self, hit: int, quotes: Iterable[str]) -> str:
        number = self._numbers.setdefault(hit, len(self._numbers) + 1)
        passage = self._hits[hit].passage
        self._citations += [Citation(number, passage, quote) for quote in quotes]
        return f"[{number}]"


def _listed(names: Sequence[str], many: str) -> str:
    """Return names as a sentence lists them; `many` says what they are if they are too many."""
    return f"{len(names)} {many}" if len(names) > MOST_NAMED else _joined(names)


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
