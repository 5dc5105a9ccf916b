"""The records of an answer: what is said, what it rests on, and how it came about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from generation.filter import FilterResult
from generation.llm.trace import Trace
from generation.verification import Verification
from search.law_in_time import status_of
from search.records import Hit, Passage

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
]
"""What a warning is about: a citation of no passage, a statement without citation, passages that
did not fit the model, a reply that broke off, one that repeats the marks of its prompt, one that
says the same over and over, one that refuses to answer below its answer, work that was left out or
broken off, citations that the model did not give, provisions that set different values, a cited
provision that is past or future law."""

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
class Citation:
    """A passage that the answer cites.

    A passage quoted in several pieces has one citation for each, all with the same number.
    """

    number: int
    """1-based, as it is in the answer."""
    passage: Passage
    quote: str = ""
    """Words of the passage, white space folded, that support what cites it."""

    @property
    def marker(self) -> str:
        """The number as it is written in the answer, such as `[1]`."""
        return f"[{self.number}]"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        passage = self.passage
        return {
            "marker": self.marker, "id": passage.id, "document_id": passage.document_id,
            "passage_id": passage.passage_id, "document_title": passage.document_title,
            "breadcrumb": list(passage.breadcrumb), "quote": self.quote,
            "status": status_of(passage),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerWarning:
    """A warning for the reader of an answer."""

    kind: WarningKind
    message: str
    statement: str = ""
    """The statement of the answer it is about; empty: the answer as a whole."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {"kind": self.kind, "message": self.message, "statement": self.statement}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a mode that changes the answer."""

    name: str
    """What was to be chosen, such as `regime`."""
    value: str
    reason: str = ""
    """Why this one."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {"name": self.name, "value": self.value, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two provisions that differ."""

    hit: Hit
    sentence: str
    """Or list item of the passage, white space folded."""
    value: str
    """What it has where the other one has something else: `five years`, `“must not”`."""


Conflict = tuple[Side, Side]
"""Provisions of two documents that set different values for the same matter."""

StatementRole = Literal["answer", "rule"]
"""What a statement is in an answer: the words that answer, or what a rule says."""


@dataclass(frozen=True, slots=True)
class QuotedStatement:
    """A statement of a passage that an extractive answer quotes, taken apart."""

    role: StatementRole
    kind: str
    """What it does, such as `obligation` (`generation.text.obligations.StatementKind`)."""
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

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        start, end = self.place
        return {
            "role": self.role,
            "kind": self.kind,
            "marker": f"[{self.number}]",
            "id": self.passage.id,
            "document_id": self.passage.document_id,
            "passage_id": self.passage.passage_id,
            "heading": self.heading,
            "actor": self.actor,
            "duty": self.duty,
            "act": self.act,
            "time": self.time,
            "quote": self.quote,
            "start": start,
            "end": end,
        }

    @property
    def place(self) -> tuple[int, int] | tuple[None, None]:
        """Where the quote begins and ends in the text of its passage, in characters; None where
        the passage has other signs between its words, as tables have.
        """
        words = map(re.escape, self.quote.split())
        found = re.search(r"\s+".join(words), self.passage.text)
        return found.span() if found else (None, None)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A duty of a passage read that an extractive answer has no room for."""

    passage: Passage
    kind: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "kind": self.kind, "id": self.passage.id, "document_id": self.passage.document_id,
            "passage_id": self.passage.passage_id, "text": self.text,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Extract:
    """What an extractive answer says, for programs."""

    statements: tuple[QuotedStatement, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    not_stated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`names` that the index lacks, `words` for the thing asked for, and `kinds` of thing."""
    is_unsure: bool = False
    """Whether the passages quoted are only the nearest: they hardly speak of the subject."""


State = Literal["answered", "unsure", "nothing"]
"""Whether passages answer, only the nearest are shown, or nothing was found."""


@dataclass(frozen=True, slots=True)
class Answer:
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

    @property
    def state(self) -> State:
        """Whether it answers."""
        if self.insufficient_evidence:
            return "nothing"
        return "unsure" if self.extract is not None and self.extract.is_unsure else "answered"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form: the fields of RIRAG, appendix A.6, and more."""
        texts = {hit.id: hit.text for hit in self.filter.read}
        for cited in self.citations:
            texts.setdefault(cited.passage.id, cited.passage.text)
        return {
            "QuestionID": self.question_id,
            "Question": self.question,
            "RetrievedPassages": list(texts.values()),
            "RetrievedIDs": list(texts),
            "Answer": self.text,
            "mode": self.mode,
            "state": self.state,
            "insufficient_evidence": self.insufficient_evidence,
            "refused_by": self.refused_by,
            "decisions": [decision.to_json() for decision in self.decisions],
            "citations": [citation.to_json() for citation in self.citations],
            **self._extract_json(),
            "passages": [_hit_json(hit) for hit in self.filter.read],
            "warnings": [warning.to_json() for warning in self.warnings],
            "verification": None if self.verification is None else self.verification.to_json(),
            "filter": self.filter.to_json(),
            "trace": None if self.trace is None else self.trace.to_json(),
        }

    def _extract_json(self) -> dict[str, Any]:
        made = self.extract or Extract()
        return {
            "statements": [one.to_json() for one in made.statements],
            "left_out": [one.to_json() for one in made.left_out],
            "not_stated": {
                name: list(made.not_stated.get(name, ())) for name in ("names", "words", "kinds")
            },
        }

    def sources(self) -> Mapping[int, Passage]:
        """Return number → passage of everything cited, in the order of the numbers."""
        return {citation.number: citation.passage for citation in self.citations}


def _hit_json(hit: Hit) -> dict[str, Any]:
    """Return what is shown of a passage that was read."""
    return {
        "id": hit.id,
        "document_id": hit.document_id,
        "passage_id": hit.passage_id,
        "document_title": hit.document_title,
        "rank": hit.rank,
        "score": hit.score,
        "relevance": hit.relevance,
        "source": hit.passage.source,
    }
