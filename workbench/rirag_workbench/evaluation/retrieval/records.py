"""What an evaluation found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rirag_workbench.evaluation.retrieval.measures import Values, mean
from rirag_workbench.evaluation.retrieval.runs import Run


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds a search took, one search at a time."""

    p50: float
    p95: float
    mean: float

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> Latency:
        """Summarise at least one measured time."""
        p50, p95 = np.percentile(milliseconds, (50, 95))
        return cls(float(p50), float(p95), float(np.mean(milliseconds)))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The quality of one run over a set of judged questions."""

    values: Values
    """measure → question_id → value, for all questions and measures."""
    run: Run
    missing_gold: int = 0
    """References to relevant passages that are not in the index."""
    unanswered: int = 0
    """Questions for which nothing was found; they count as zero."""
    known: int = 0
    """Answered questions of the index that could vote."""
    own_known: int = 0
    """Asked questions that are among the answered ones; these did not vote for themselves."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """question_id → search time; empty when a finished run was evaluated."""
    notes: tuple[str, ...] = ()
    """What to know of the searches, a sentence each."""

    @property
    def questions(self) -> int:
        """How many questions the means are over."""
        return len(next(iter(self.values.values())))

    @property
    def means(self) -> dict[str, float]:
        """Mean of each measure over all questions, in the order asked for."""
        return {name: mean(values) for name, values in self.values.items()}

    @property
    def latency(self) -> Latency | None:
        """Search times, if searches were made."""
        return Latency.of(list(self.milliseconds.values())) if self.milliseconds else None
