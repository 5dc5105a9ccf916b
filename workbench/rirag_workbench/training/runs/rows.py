"""The rows of one round: a question, one passage that answers it, and hard negatives.

With a teacher, a row is a list that it judges: a question, its answers, and the first candidates.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from rirag_workbench.training.data.examples import Dataset, Example
from rirag_workbench.training.data.passage_table import PassageTable
from rirag_workbench.training.ranking.negatives import (
    TAUGHT,
    Places,
    draw,
    known_positives,
    mine_pools,
    positives_of,
)
from rirag_workbench.training.runs.settings import TrainingSettings
from search.errors import InputError
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
    seed: int,
) -> list[Row]:
    """Return the rows of a round, with hard negatives of the hybrid ranking by these vectors.

    With a teacher they are lists of the first candidates: the teacher judges which of them answer.

    Args:
        data: what is trained on.
        table: all passages.
        vectors: of the passages, shape (passages, dimension).
        encode: turns questions into vectors of the same space.
        settings: of the run.
        seed: equal seeds make equal rows.
    """
    lists = bool(settings.teacher)
    share = settings.auxiliary_share
    examples = examples_of_round(data.examples, data.auxiliary, share, seed, lists)
    known = known_positives(data.trained_on)
    places = TAUGHT if lists else Places(settings.margin)
    mined = mine_pools(examples, table, vectors, encode, known, places)
    make = make_lists if lists else make_rows
    return make(examples, mined, known, settings.negatives, seed)


def rows_of_round(data: Dataset, settings: TrainingSettings) -> int:
    """Return how many rows a round has: those of `mined_rows`, if each example has negatives."""
    share, lists = settings.auxiliary_share, bool(settings.teacher)
    return rows_in_round(data.examples, data.auxiliary, share, lists)


def examples_of_round(
    examples: Sequence[Example],
    auxiliary: Sequence[Sequence[Example]],
    share: float,
    seed: int,
    lists: bool = False,
) -> list[Example]:
    """Return all examples, and auxiliary ones that are drawn for this round.

    Args:
        examples: all of them are used; each of their positives will be a row.
        auxiliary: groups, of each of which equally many are drawn, or all that it has; of each
            drawn example one positive is kept.
        share: of the auxiliary rows among all rows of the round, 0 to below 1.
        seed: equal seeds make equal draws.
        lists: whether each example will be one row; see `make_lists`.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
    chosen = list(examples)
    wanted = drawn_from_each(_rows_of(examples, lists), share, len(auxiliary))
    for group in auxiliary:
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
) -> list[Row]:
    """Return one row for each positive of each example; one without negatives gives none.

    Args:
        examples: of the round.
        mined: hard negatives of each.
        known: what `known_positives` found.
        negatives_per_row: how many negatives are drawn for each row.
        seed: equal seeds make equal rows.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
    rows = []
    for example, found in zip(examples, mined, strict=True):
        for positive in example.positives:
            chosen = draw(found, negatives_per_row, generator)
            rows.append(_row(example, positive, chosen, known))
    return [row for row in rows if len(row.negatives) == negatives_per_row]


def make_lists(
    examples: Sequence[Example],
    mined: Sequence[Sequence[int]],
    known: Mapping[str, frozenset[int]],
    negatives_per_row: int,
    seed: int,
) -> list[Row]:
    """Return one row for each example: a list that a teacher judges.

    One of the answers is drawn as the positive of the row. The others fill half of the list at
    most, and the first candidates of the ranking the rest.

    Args:
        examples: of the round.
        mined: for each, the first candidates that are not known answers.
        known: what `known_positives` found.
        negatives_per_row: how many passages a list has beside the positive.
        seed: equal seeds make equal lists.
    """
    generator = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
    rows = []
    for example, found in zip(examples, mined, strict=True):
        positive, *others = generator.sample(example.positives, len(example.positives))
        beside = (*others[: negatives_per_row // 2], *found)[:negatives_per_row]
        rows.append(_row(example, positive, beside, known))
    return [row for row in rows if len(row.negatives) == negatives_per_row]


def drawn_from_each(rows: int, share: float, groups: int) -> int:
    """Return how many auxiliary rows each group gives, so that all make `share` of the round."""
    return round(rows * share / (1 - share) / groups) if groups else 0


def rows_in_round(
    examples: Sequence[Example],
    auxiliary: Sequence[Sequence[Example]],
    share: float,
    lists: bool = False,
) -> int:
    """Return how many rows `examples_of_round` leads to, if each example has negatives."""
    rows = _rows_of(examples, lists)
    wanted = drawn_from_each(rows, share, len(auxiliary))
    return rows + sum(min(wanted, len(group)) for group in auxiliary)


def fill(rows: Sequence[Row], count: int) -> list[Row]:
    """Return `count` rows, some repeated if there are fewer, so that all rounds are equally long.

    Raises:
        InputError: there is none.
    """
    if not rows:
        raise InputError(
            "no question has a hard negative; load more passages into the index.",
            code="training.data",
        )
    return list(islice(cycle(rows), count))


def save_rows(rows: Sequence[Row], path: Path) -> None:
    """Write rows so that a file of this name is always whole."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), "utf-8")
    unfinished.replace(path)


def load_rows(path: Path) -> list[Row]:
    """Read what `save_rows` wrote."""
    records = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Row(r["question"], r["positive"], tuple(r["negatives"]), tuple(r["known"])) for r in records
    ]


def _rows_of(examples: Sequence[Example], lists: bool) -> int:
    return len(examples) if lists else sum(len(example.positives) for example in examples)


def _row(
    example: Example, positive: int, negatives: Sequence[int], known: Mapping[str, frozenset[int]]
) -> Row:
    every = tuple(sorted(positives_of(example, known)))
    return Row(example.question, positive, tuple(negatives), every)
