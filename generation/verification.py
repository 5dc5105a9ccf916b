"""What the verifier says of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from generation.verification_text import verification_text

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
class StatementCheck:
    """A statement of the answer, and what its passages say to it."""

    text: str
    """As the answer has it, white space folded, with its citations."""
    citations: tuple[int, ...]
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    start: int = 0
    end: int = 0
    """Where it is in the answer that was checked."""

    @property
    def is_supported(self) -> bool:
        """Whether the cited passages carry it."""
        return self.verdict == "supported"

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "text": self.text,
            "citations": [f"[{number}]" for number in self.citations],
            "verdict": self.verdict,
            "reasons": [finding.message for finding in self.findings],
            "kinds": [finding.kind for finding in self.findings],
        }


@dataclass(frozen=True, slots=True)
class MissingObligation:
    """An obligation of a cited passage that the answer leaves out."""

    number: int
    """The passage's citation."""
    text: str
    """In the words of the passage, white space folded."""

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {"citation": f"[{self.number}]", "text": self.text}


@dataclass(frozen=True, slots=True)
class Verification:
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

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        score = self.score
        return {
            "statements": [one.to_json() for one in self.statements],
            "score": None if score is None else round(score, 4),
            "obligations": self.obligations,
            "missing_obligations": [one.to_json() for one in self.missing],
            "judge": self.judge,
            "notes": list(self.notes),
        }
