"""What the verifier says of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from generation.render import verification_text
from search.json_form import Record

Verdict = Literal["supported", "partly", "unsupported", "uncited"]

FindingKind = Literal[
    "citation", "quote", "number", "negation", "force", "words", "judge", "unchecked", "uncited"
]
"""What a finding is about: a citation of no passage, quoted words, a number, date or rule number,
a negation, a word of obligation, the words as a whole, what a model said, what could not be
checked, a missing citation."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason for a verdict."""

    kind: FindingKind
    message: str
    """A sentence for the reader."""


@dataclass(frozen=True, slots=True)
class StatementCheck(Record):
    """A statement of the answer, and what its passages say to it."""

    text: str
    """As the answer has it, white space folded, with its citations."""
    citations: tuple[int, ...]
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    start: int = 0
    end: int = 0
    """Where it is in the answer that was checked."""

    json_form = "text citations=markers verdict reasons=findings.message kinds=findings.kind"

    @property
    def is_supported(self) -> bool:
        """Whether the cited passages carry it."""
        return self.verdict == "supported"

    @property
    def markers(self) -> tuple[str, ...]:
        """Its citations as the answer writes them, such as `[1]`."""
        return tuple(f"[{number}]" for number in self.citations)


@dataclass(frozen=True, slots=True)
class MissingObligation(Record):
    """An obligation of a cited passage that the answer leaves out."""

    number: int
    """The passage's citation."""
    text: str
    """In the words of the passage, white space folded."""

    json_form = "citation=marker text"

    @property
    def marker(self) -> str:
        """Its citation as the answer writes it, such as `[1]`."""
        return f"[{self.number}]"


@dataclass(frozen=True, slots=True)
class Verification(Record):
    """The verdicts on an answer."""

    statements: tuple[StatementCheck, ...]
    obligations: int = 0
    """How many obligations the cited passages hold."""
    missing: tuple[MissingObligation, ...] = ()
    judge: str = ""
    """What judged besides the words; empty: nothing did."""
    notes: tuple[str, ...] = ()
    """What was done to the answer because of an earlier check, and what went wrong in checking;
    each a sentence."""

    json_form = "statements score=rounded_score obligations missing_obligations=missing judge notes"

    def __iter__(self) -> Iterator[StatementCheck]:
        return iter(self.statements)

    def __str__(self) -> str:
        return verification_text(self.to_json())

    @property
    def supported(self) -> int:
        """How many statements are supported."""
        return sum(one.is_supported for one in self.statements)

    @property
    def doubtful(self) -> tuple[StatementCheck, ...]:
        """The statements that are not."""
        return tuple(one for one in self.statements if not one.is_supported)

    @property
    def score(self) -> float | None:
        """Share of the statements that are supported, 0 to 1; None where there are none."""
        return self.supported / len(self.statements) if self.statements else None

    @property
    def rounded_score(self) -> float | None:
        """The same with four decimals."""
        return None if self.score is None else round(self.score, 4)
