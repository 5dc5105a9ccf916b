"""The records of an answer: what is said, what it rests on, and how it came about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from generation.filter import FilterResult
from generation.llm.trace import Trace
from generation.render import remarks, sources_text
from generation.text.sanitize import one_line, printable
from generation.verification import Verification
from search.json_form import PLACE, Record
from search.law_in_time import today
from search.records import Hit, InTime, Later, Passage

WarningKind = Literal[
    "unmapped",
    "uncited",
    "left-out",
    "cut",
    "leaked",
    "repeated",
    "contradictory",
    "unfinished",
    "added",
    "differing",
    "not-in-force",
    "changes",
    "names-day",
]
"""What a warning is about: a citation of no passage, a statement without citation, passages that
did not fit the model, a reply that broke off, one that repeats the marks of its prompt, one that
says the same over and over, one that refuses to answer below its answer, work that was left out or
broken off, citations that the model did not give, provisions that set different values, a cited
provision that is past or future law, one that a later version changes or repeals, and one whose
words name a day on the other side of that of the answer."""

RefusedBy = Literal[
    "no-passages",
    "no-such-rule",
    "floor",
    "relevance",
    "answerable",
    "unknown-name",
    "jurisdiction",
    "model",
    "verifier",
    "failure",
]
"""What decided that the evidence does not do: a search that found nothing, a law or a number asked
for that the index lacks, the floor on the score, the floor on the calibrated relevance, the
probability that the index has an answer, a name in the question that the whole index lacks, a law
or state that no passage found is about, the language model that read the passages, the verifier
that found no statement supported, or nobody, because the model could not do its work."""


@dataclass(frozen=True, slots=True)
class Citation(Record):
    """A passage that the answer cites.

    A passage quoted in several pieces has one citation for each, all with the same number.
    """

    number: int
    """1-based, as it is in the answer."""
    passage: Passage
    quote: str = ""
    """Words of the passage, white space folded, that support what cites it."""
    in_time: InTime = field(default_factory=InTime)
    later: tuple[Later, ...] = ()
    """What later versions of its document do to it, the next first."""

    json_form = f"marker passage.*({PLACE} breadcrumb) quote in_time.* later"

    @property
    def marker(self) -> str:
        """The number as it is written in the answer, such as `[1]`."""
        return f"[{self.number}]"

    @property
    def status(self) -> str:
        """Whether the passage is in force: `in-force`, `past`, `future` or `unknown`."""
        return self.in_time.status

    def other_days(self, day: str) -> Iterator[str]:
        """Yield a sentence on each day of its words that a day is on the other side of."""
        for one in self.in_time.names_days:
            if day > one.day if one.is_end else day < one.day:
                yield one_line(f"{self.marker} {self.passage.citation()} says: “{one.words}”.")

    def change(self) -> str:
        """Return the sentence on what the next version that changes the rule does to it."""
        first = self.later[0]
        day = first.valid_from or first.version_id
        became = " ".join(filter(None, (first.change, first.number and f"to {first.number}")))
        when = "was" if day <= today() else "will be"
        return one_line(f"{self.marker} {self.passage.citation()} {when} {became} on {day}.")


@dataclass(frozen=True, slots=True)
class AnswerWarning(Record):
    """A warning for the reader of an answer."""

    kind: WarningKind
    message: str
    statement: str = ""
    """The statement of the answer it is about; empty: the answer as a whole."""


@dataclass(frozen=True, slots=True)
class Decision(Record):
    """A decision of a mode that changes the answer."""

    name: str
    """What was to be chosen, such as `regime`."""
    value: str
    reason: str = ""
    """Why this one."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two provisions that differ."""

    hit: Hit
    sentence: str
    """Or list item of the passage, white space folded."""
    value: str
    """What it has where the other one has something else: `five years`, or the whole sentence."""


Conflict = tuple[Side, Side]
"""Provisions of two documents that set different values for the same matter."""

StatementRole = Literal["answer", "rule"]
"""What a statement is in an answer: the words that answer, or what a rule says."""


@dataclass(frozen=True, slots=True)
class QuotedStatement(Record):
    """A statement of a passage that an extractive answer quotes, taken apart."""

    role: StatementRole
    kind: str
    """What it does, such as `obligation` (`generation.statements.forces.StatementKind`)."""
    number: int
    """Of its citation."""
    passage: Passage
    quote: str
    """The words quoted, white space folded."""
    heading: str = ""
    """The innermost heading above it."""
    actor: str = ""
    duty: str = ""
    act: str = ""
    time: str = ""

    json_form = (
        "role kind marker passage.*(id document_id passage_id) heading actor duty act time quote "
        "start=place.0 end=place.1"
    )

    @property
    def marker(self) -> str:
        """The number as it is written in the answer, such as `[1]`."""
        return f"[{self.number}]"

    @property
    def place(self) -> tuple[int, int] | tuple[None, None]:
        """Where the quote begins and ends in the text of its passage, in characters; None where
        the passage has other signs between its words, as tables have.
        """
        words = map(re.escape, self.quote.split())
        found = re.search(r"\s+".join(words), self.passage.text)
        return found.span() if found else (None, None)


@dataclass(frozen=True, slots=True)
class LeftOut(Record):
    """A duty of a passage read that an extractive answer has no room for."""

    passage: Passage
    kind: str
    text: str

    json_form = "kind passage.*(id document_id passage_id) text"


@dataclass(frozen=True, slots=True)
class Extract(Record):
    """What an extractive answer says, for programs."""

    statements: tuple[QuotedStatement, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    not_stated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`names` that the index lacks, `words` for the thing asked for, and `kinds` of thing."""
    is_unsure: bool = False
    """Whether the passages quoted are only the nearest: they hardly speak of the subject."""

    json_form = "statements left_out not_stated"


State = Literal["answered", "unsure", "nothing"]
"""Whether passages answer, only the nearest are shown, or nothing was found."""


@dataclass(frozen=True, slots=True)
class Answer(Record):
    """An answer to a question, with everything needed to check it."""

    question: str
    text: str
    """The answer, light Markdown, with citations such as `[1]`."""
    mode: str
    filter: FilterResult
    citations: tuple[Citation, ...] = ()
    """In the order of the numbers; every number in `text` that is not here has a warning."""
    warnings: tuple[AnswerWarning, ...] = ()
    insufficient_evidence: bool = False
    refused_by: RefusedBy | None = None
    """What decided so; None where the evidence does."""
    decisions: tuple[Decision, ...] = ()
    """What the mode chose, in the order in which it did."""
    verification: Verification | None = None
    """What the verifier says of every statement; None for an answer that claims nothing."""
    extract: Extract | None = None
    """What mode `extractive` quotes, statement by statement; None: another mode wrote the text."""
    trace: Trace | None = None
    question_id: str | None = None
    as_of: str = ""
    """Day whose law it states, as `2026-12-31`; `all`: of every day; `=NAME`: that version's."""

    json_form = (
        "QuestionID=question_id Question=question RetrievedPassages=retrieved.values "
        "RetrievedIDs=retrieved.keys Answer=text as_of mode state insufficient_evidence refused_by "
        "decisions citations quoted.* passages=filter.read"
        f"({PLACE} rank score relevance passage.source) warnings verification filter trace"
    )
    """The fields of RIRAG, appendix A.6, and more."""

    def __str__(self) -> str:
        return answer_text(self)

    @property
    def state(self) -> State:
        """Whether it answers."""
        if self.insufficient_evidence:
            return "nothing"
        return "unsure" if self.extract is not None and self.extract.is_unsure else "answered"

    @property
    def retrieved(self) -> dict[str, str]:
        """`ID` → text of every passage that was read or is cited."""
        texts = {hit.id: hit.text for hit in self.filter.read}
        return texts | {one.passage.id: one.passage.text for one in self.citations}

    @property
    def quoted(self) -> Extract:
        """What mode `extractive` quotes; nothing where another mode wrote the text."""
        return self.extract or Extract()

    def with_later(self, later: Callable[[Passage], Iterable[Later]]) -> Answer:
        """Return the answer with what later versions do to the rules that it cites, and warnings
        of that.

        Args:
            later: returns what later versions of its document do to a passage, the next first.
        """
        citations = [replace(one, later=tuple(later(one.passage))) for one in self.citations]
        told = dict.fromkeys(one.change() for one in citations if one.later)
        warnings = tuple(AnswerWarning("changes", one) for one in told)
        return replace(self, citations=tuple(citations), warnings=(*self.warnings, *warnings))

    def sources(self) -> Mapping[int, Passage]:
        """Return number → passage of everything cited, in the order of the numbers."""
        return {citation.number: citation.passage for citation in self.citations}


def answer_text(answer: Answer) -> str:
    """Return an answer for a terminal: the text, its sources, and remarks."""
    body = answer.to_json()
    parts = (printable(answer.text), sources_text(body), *remarks(body))
    return "\n\n".join(filter(None, parts))
