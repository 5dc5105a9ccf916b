"""What fitting a profile found, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

Boundaries = tuple[int, ...]
"""Word counts at which a new length begins: (5, 10) means 1-4, 5-9, and 10 or more words."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions; each length of the first division counts alike in an overall one."""

    questions: int
    recall: float
    """R@10, 0 to 1."""
    average_precision: float
    """AP@10, 0 to 1."""

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        return self.recall + self.average_precision


@dataclass(frozen=True, slots=True)
class FittedLength:
    """The lexical weight for questions of `least` words up to, not including, `below`."""

    least: int
    below: int | None
    alpha: float
    training: Quality
    validation: Quality


@dataclass(frozen=True, slots=True)
class GridPoint:
    """What one pair of weights gave for one length, on training questions."""

    least: int
    alpha: float
    document_weight: float
    quality: Quality


@dataclass(frozen=True, slots=True)
class FittedProfile:
    """The fitted weights and how they were found."""

    lengths: tuple[FittedLength, ...]
    document_weight: float
    training: Quality
    validation: Quality
    divisions: tuple[tuple[Boundaries, float], ...]
    """Each division tried, with R@10 + AP@10 on validation."""
    grid: tuple[GridPoint, ...]

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return asdict(self)

    def to_table(self) -> str:
        """Return the weights and their quality as lines to read, without the grid."""
        lines = ["words   alpha  training R@10  AP@10  validation R@10  AP@10"]
        for length in self.lengths:
            words = f"{length.least}+" if length.below is None else (
                f"{length.least}-{length.below - 1}"
            )  # fmt: skip
            lines.append(
                f"{words:6} {length.alpha:6.2f}  {_row(length.training, length.validation)}"
            )
        lines.append(f"{'all':13}  {_row(self.training, self.validation)}")
        lines.append(f"document weight {self.document_weight:g}")
        return "\n".join(lines)


def _row(training: Quality, validation: Quality) -> str:
    return (
        f"{training.recall:13.4f}  {training.average_precision:.4f}  "
        f"{validation.recall:15.4f}  {validation.average_precision:.4f}"
    )
