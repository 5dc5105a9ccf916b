"""The legal trace: plan, tasks, findings, quotes and challenges, to be read by a lawyer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from search.json_form import Record

Verdict = Literal["holds", "fails", "open", "not challenged"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the plan, or a task as the master delegates it."""

    title: str
    task: str
    parts: tuple[str, ...]
    document: str = ""
    """What the parts belong to, as is said with them; empty: it is not."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a junior quoted."""

    number: int
    """Of the passage, as in the findings."""
    passage_id: str
    words: str
    is_exact: bool
    """Whether the passage has these words; others are shown to nobody else."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """What became of a conclusion when it was challenged."""

    conclusion: str
    verdict: Verdict
    reason: str = ""
    corrected: str = ""
    definitions: tuple[str, ...] = ()
    """The defined terms it was held against."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A task that was delegated, and what came of it."""

    number: int
    """1-based."""
    title: str
    task: str
    parts: tuple[str, ...]
    """As the master named them."""
    document: str = ""
    """What the master said they belong to; empty: it did not."""
    passages: tuple[str, ...] = ()
    """Number and name of each passage that the junior read: `[3] AI Act Article 3(1)`."""
    conclusion: str = ""
    text: str = ""
    quotes: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()
    """Parts that the junior asks for."""
    problem: str = ""
    """Why nobody carried it out, or not as asked; empty: it was."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether a junior reported anything."""
        return bool(self.conclusion or self.text)


@dataclass(frozen=True, slots=True)
class LegalTrace(Record):
    """How an answer of mode `delegate` came about."""

    question: str
    documents: tuple[str, ...]
    notes: str
    """The planner's notes for itself."""
    plan: tuple[Step, ...]
    findings: tuple[Finding, ...]
    challenges: tuple[Challenge, ...]
    remarks: tuple[str, ...]
    """What was left out, cut or not finished, each a sentence."""
    tokens: int
    """Of all calls; estimated where the server does not tell."""
    cost: float | None
    seconds: float

    def to_text(self) -> str:
        """Return the trace as a lawyer reads it."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        cost = "" if self.cost is None else f", cost {self.cost:.4f}"
        yield f"LEGAL TRACE: {len(self.findings)} tasks, {self.tokens:,} tokens{cost}"
        yield f"Question: {self.question}"
        yield f"Read: {'; '.join(self.documents)}"
        yield from _block("Notes for the plan", self.notes)
        yield "\nPlan"
        for number, step in enumerate(self.plan, start=1):
            yield f"{number}. {step.title}: {step.task} (to read: {'; '.join(step.parts)})"
        for finding in self.findings:
            yield from _finding_lines(finding)
        yield from ["\nChallenges"] if self.challenges else []
        for challenge in self.challenges:
            yield from _challenge_lines(challenge)
        yield from (
            ["\nRemarks", *(f"- {remark}" for remark in self.remarks)] if self.remarks else []
        )


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"\nTask {finding.number}: {finding.title}"
    yield f"  asked: {finding.task}"
    document = f" ({finding.document})" if finding.document else ""
    yield f"  to read: {'; '.join(finding.parts)}{document}"
    yield from (f"  read: {passage}" for passage in finding.passages)
    yield from [f"  problem: {finding.problem}"] if finding.problem else []
    yield from [f"  conclusion: {finding.conclusion}"] if finding.conclusion else []
    yield from (f"  {line}" for line in finding.text.splitlines() if line.strip())
    for quote in finding.quotes:
        mark = "" if quote.is_exact else " (NOT in the passage)"
        yield f"  quote [{quote.number}] {quote.passage_id}: “{quote.words}”{mark}"
    yield from [f"  asks for: {'; '.join(finding.missing)}"] if finding.missing else []
    yield from [f"  {_used(finding)}"] if finding.seconds is not None else []


def _used(finding: Finding) -> str:
    counts = [
        f"{'?' if count is None else count} tokens {way}"
        for count, way in ((finding.prompt_tokens, "in"), (finding.completion_tokens, "out"))
    ]
    seconds = f", {finding.seconds or 0:.2f} s"
    cost = "" if finding.cost is None else f", cost {finding.cost:.4f}"
    return ", ".join(counts) + seconds + cost


def _challenge_lines(challenge: Challenge) -> Iterator[str]:
    against = f" (against: {', '.join(challenge.definitions)})" if challenge.definitions else ""
    yield f"- {challenge.verdict}: {' '.join(challenge.conclusion.split())}{against}"
    yield from [f"  {challenge.reason}"] if challenge.reason else []
    yield from [f"  instead: {challenge.corrected}"] if challenge.corrected else []


def _block(title: str, text: str) -> Iterator[str]:
    yield f"\n{title}"
    yield from (f"  {line}" for line in text.splitlines())
