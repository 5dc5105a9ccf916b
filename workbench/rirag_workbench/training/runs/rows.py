"""The rows of a training: a question, one passage that answers it, and hard negatives.

With a teacher, a row is a list that it judges: a question, its answers, and the first candidates.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rirag_workbench.training.data.examples import Dataset, Example
from rirag_workbench.training.data.negatives import (
    TAUGHT,
    Places,
    draw,
    known_positives,
    mine_pools,
    positives_of,
)
from rirag_workbench.training.data.pairs import PassageTable
from rirag_workbench.training.runs.settings import TrainingSettings
from search.models.encoders.protocol import Vectors


@dataclass(frozen=True, slots=True)
class Row:
    """What the loss sees as one item of a batch."""

    question: str
    positive: int
    """Key of a passage that answers."""
    negatives: tuple[int, ...]
    """Keys of hard negatives, after further answers if there is a teacher; the same number in every
    row."""
    known: tuple[int, ...]
    """Keys of all passages that are known to answer: none of them counts as a negative."""
    shares: tuple[float, ...] = ()
    """What is wanted of each of its passages, if there is a teacher."""

    @property
    def passages(self) -> tuple[int, ...]:
        """Keys of the passages of its list, the positive's first."""
        return (self.positive, *self.negatives)


def mined_rows(
    data: Dataset,
    table: PassageTable,
    vectors: Vectors,
    encode: Callable[[Sequence[str]], Vectors],
    settings: TrainingSettings,
) -> list[Row]:
    """Return the rows of a run, with hard negatives of the hybrid ranking by these vectors.

    With a teacher they are lists of the first candidates: the teacher judges which of them answer.

    Args:
        vectors: of the passages, shape (passages, dimension).
    """
    lists, seed = bool(settings.teacher), settings.seed
    examples = examples_of_run(data, settings.auxiliary_share, seed, lists)
    known = known_positives(data.trained_on)
    places = TAUGHT if lists else Places(settings.margin)
    mined = mine_pools(examples, table, vectors, encode, known, places)
    return make_rows(examples, mined, known, settings.negatives, seed, lists)


def rows_of_run(data: Dataset, settings: TrainingSettings) -> int:
    """Return how many rows a run has: those of `mined_rows`, if each example has negatives."""
    lists = bool(settings.teacher)
    return _rows_of(examples_of_run(data, settings.auxiliary_share, 0, lists), lists)


def examples_of_run(data: Dataset, share: float, seed: int, lists: bool = False) -> list[Example]:
    """Return all examples, and auxiliary ones that are drawn for this run.

    Args:
        data: each positive of its examples will be a row; of each of its auxiliary groups equally
            many are drawn, or all that it has, and of each drawn example one positive is kept.
        lists: whether each example will be one row; see `make_rows`.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
    chosen = list(data.examples)
    rows = _rows_of(chosen, lists)
    wanted = round(rows * share / (1 - share) / max(1, len(data.auxiliary)))
    for group in data.auxiliary:
        for example in generator.sample(list(group), min(wanted, len(group))):
            positive = generator.choice(example.positives)
            chosen.append(replace(example, positives=(positive,)))
    return chosen


def make_rows(
    examples: Sequence[Example],
    mined: Sequence[Sequence[int]],
    known: Mapping[str, frozenset[int]],
    negatives_per_row: int,
    seed: int,
    lists: bool = False,
) -> list[Row]:
    """Return one row for each positive of each example, or lists that a teacher judges.

    Each example is one list. One of the answers is drawn as its positive; the others fill half of
    the list at most, and the first candidates of the ranking the rest. What has too few negatives
    gives no row.

    Args:
        mined: hard negatives of each, or the first candidates that are not known answers.
        negatives_per_row: how many passages a row has beside the positive.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
    rows = []
    for example, found in zip(examples, mined, strict=True):
        every = tuple(sorted(positives_of(example, known)))
        drawn: list[tuple[int, Sequence[int]]]
        if lists:
            positive, *others = generator.sample(example.positives, len(example.positives))
            beside = (*others[: negatives_per_row // 2], *found)[:negatives_per_row]
            drawn = [(positive, beside)]
        else:
            drawn = [(one, draw(found, negatives_per_row, generator)) for one in example.positives]
        rows += [
            Row(example.question, positive, tuple(beside), every)
            for positive, beside in drawn
            if len(beside) == negatives_per_row
        ]
    return rows


def save_rows(rows: Sequence[Row], path: Path) -> None:
    """Write rows so that a file of this name is always whole."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), "utf-8")
    unfinished.replace(path)


def load_rows(path: Path) -> list[Row]:
    """Read what `save_rows` wrote."""
    records = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Row(one.pop("question"), one.pop("positive"), *map(tuple, one.values())) for one in records
    ]


def _rows_of(examples: Sequence[Example], lists: bool) -> int:
    return len(examples) if lists else sum(len(example.positives) for example in examples)
