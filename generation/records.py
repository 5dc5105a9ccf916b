"""The records of an answer: what is said, what it rests on, and how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from generation.filter import FilterResult
from generation.llm.trace import Trace
from generation.verification import Verification
from search.records import Passage

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
]
"""What a warning is about: a citation of no passage, a statement without citation, passages that
did not fit the model, a reply that broke off, one that repeats the marks of its prompt, one that
says the same over and over, one that refuses to answer below its answer, work that was left out or
broken off, citations that the model did not give."""

RefusedBy = Literal[
    "no-passages", "floor", "relevance", "answerable", "model", "verifier", "failure"
]
"""What decided that the evidence does not do: a search that found nothing, the floor on the score,
the floor on the calibrated relevance, the probability that the index has an answer, the language
model that read the passages, the verifier that found no statement supported, or nobody, because the
model could not do its work."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that the answer rests on.

    A passage quoted in several pieces has one citation for each, all with the same number.
    """

    number: int
    """1-based, as it stands in the answer."""
    passage: Passage
    quote: str = ""
    """Words of the passage, white space folded, that support what cites it."""

    @property
    def marker(self) -> str:
        """The number as it is written in the answer, such as `[1]`."""
        return f"[{self.number}]"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "marker": self.marker,
            "id": self.passage.id,
            "document_id": self.passage.document_id,
            "passage_id": self.passage.passage_id,
            "document_title": self.passage.document_title,
            "breadcrumb": list(self.passage.breadcrumb),
            "quote": self.quote,
        }


@dataclass(frozen=True, slots=True)
class AnswerWarning:
    """Something the reader of an answer should know before trusting it."""

    kind: WarningKind
    message: str
    statement: str = ""
    """The statement of the answer it is about; empty: the answer as a whole."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {"kind": self.kind, "message": self.message, "statement": self.statement}


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that a mode chose, which changes the answer."""

    name: str
    """What was to be chosen, such as `regime`."""
    value: str
    reason: str = ""
    """Why this one."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {"name": self.name, "value": self.value, "reason": self.reason}


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
    trace: Trace | None = None
    question_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form: the fields of RIRAG, appendix A.6, and more."""
        return {
            "QuestionID": self.question_id,
            "Question": self.question,
            "RetrievedPassages": [hit.text for hit in self.filter.kept],
            "RetrievedIDs": [hit.id for hit in self.filter.kept],
            "Answer": self.text,
            "mode": self.mode,
            "insufficient_evidence": self.insufficient_evidence,
            "refused_by": self.refused_by,
            "decisions": [decision.to_json() for decision in self.decisions],
            "citations": [citation.to_json() for citation in self.citations],
            "warnings": [warning.to_json() for warning in self.warnings],
            "verification": None if self.verification is None else self.verification.to_json(),
            "filter": self.filter.to_json(),
            "trace": None if self.trace is None else self.trace.to_json(),
        }

    def sources(self) -> Mapping[int, Passage]:
        """Return number → passage of everything cited, in the order of the numbers."""
        return {citation.number: citation.passage for citation in self.citations}
