"""Report a change of the answered questions."""

from __future__ import annotations

from dataclasses import dataclass

from indexer.load.report import count, named
from search.engines.protocol import IndexDescription
from search.json_form import Record


@dataclass(frozen=True, slots=True)
class UnknownPassage:
    """A passage of a question that is not in the index."""

    question_id: str
    passage: str
    """Its `ID`, or document and number where the question gave these."""

    def __str__(self) -> str:
        return f"{self.passage} (of {self.question_id})"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsReport(Record):
    """The result of `add_questions` or `remove_questions`."""

    added: tuple[str, ...] = ()
    """IDs of new questions."""
    changed: tuple[str, ...] = ()
    """IDs of questions whose words or passages changed."""
    unchanged: tuple[str, ...] = ()
    """IDs of unchanged questions."""
    removed: tuple[str, ...] = ()
    """IDs of removed questions."""
    unknown_passages: tuple[UnknownPassage, ...] = ()
    """Passages that were ignored because the index does not have them."""
    left_out: tuple[str, ...] = ()
    """IDs of questions without any passage in the index."""
    encoded: int
    """Questions encoded in this run."""
    reused: int
    """Questions of changed groups whose vector was known."""
    seconds: float
    """Wall-clock time of the run."""
    index_url: str
    """The index that the questions belong to."""
    index: IndexDescription | None
    """The index that keeps them; None where no question was ever known."""

    def summary(self) -> str:
        """Return a few lines for people."""
        known = 0 if self.index is None else self.index.passages
        lines = [self._change()]
        if self.unknown_passages:
            number = count(len(self.unknown_passages), "relevant passage")
            told = named(self.unknown_passages)
            lines.append(f"Ignored {number} that {self.index_url} does not have: {told}.")
        if self.left_out:
            number = count(len(self.left_out), "question")
            lines.append(
                f"Left out {number} without any passage in the index: {named(self.left_out)}."
            )
        lines.append(f"{self.index_url} now has {count(known, 'answered question')}.")
        return "\n".join(lines)

    def _change(self) -> str:
        if self.removed:
            return f"Removed {count(len(self.removed), 'question')} in {self.seconds:.1f} s."
        given = len(self.added) + len(self.changed) + len(self.unchanged) + len(self.left_out)
        return (
            f"Read {count(given, 'question')} in {self.seconds:.1f} s: {len(self.added):,} added, "
            f"{len(self.changed):,} changed, {len(self.unchanged):,} unchanged; encoded "
            f"{self.encoded:,}."
        )
