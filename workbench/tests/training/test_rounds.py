"""What the library's trainer is given."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from extras import require

from rirag_workbench.training.runs.rows import Row

pytestmark = pytest.mark.torch


def row(positive: int, negative: int, *known: int) -> Row:
    return Row("?", positive, (negative,), known or (positive,))


def batches(rows: list[Row], size: int = 2, epoch: int = 0) -> list[list[int]]:
    torch = require("torch")
    require("datasets")
    from datasets import Dataset

    from rirag_workbench.training.runs.rounds import AnswersApart

    table = Dataset.from_dict({"number": range(len(rows))})
    table.rows = rows
    sampler = AnswersApart(table, size, drop_last=True, generator=torch.Generator(), seed=3)
    sampler.set_epoch(epoch)
    found = list(sampler)
    assert len(found) == len(sampler)
    return found


def apart(rows: list[Row], batch: list[int]) -> bool:
    """Return whether no row of a batch brings an answer of another."""
    return not any(
        set(rows[one].passages) & set(rows[other].known)
        for one in batch
        for other in batch
        if one != other
    )


def test_answers_of_a_question_are_no_negatives_of_it() -> None:
    """Each question has two answers; the negative of one row answers the question of another."""
    rows = [row(n, (n + 7) % 40, n, n ^ 1) for n in range(40)]
    found = batches(rows, size=4)
    assert all(apart(rows, batch) for batch in found[:8])
    assert sorted(chain(*found)) == list(range(40))


def test_what_cannot_be_kept_apart_is_used_all_the_same() -> None:
    rows = [row(1, 2)] * 6
    assert sorted(chain(*batches(rows))) == list(range(6))


def test_epochs_differ_and_the_same_epoch_does_not() -> None:
    rows = [row(n, n + 100) for n in range(20)]
    assert batches(rows, epoch=1) == batches(rows, epoch=1) != batches(rows, epoch=2)


def toy_model() -> Any:
    """A model whose vectors are its inputs."""
    torch = require("torch")

    class Toy(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, inputs: dict[str, Any]) -> dict[str, Any]:
            return {"sentence_embedding": inputs["input_ids"]}

    return Toy()


def test_texts_are_encoded_by_length_without_their_padding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = require("torch")
    from rirag_workbench.training.runs import rounds as by_length

    shapes = []

    class Sum(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, inputs: dict[str, Any]) -> dict[str, Any]:
            shapes.append(tuple(inputs["input_ids"].shape))
            return {"sentence_embedding": inputs["input_ids"].sum(dim=1, keepdim=True)}

    monkeypatch.setitem(by_length.TEXTS_AT_ONCE, "cpu", 2)
    ids = torch.tensor([[1, 0, 0, 0], [2, 3, 4, 5], [6, 0, 0, 0], [7, 8, 9, 0]])
    model = by_length.ByLength(Sum(), "sentence_embedding")
    found = model({"input_ids": ids, "attention_mask": (ids > 0).long()})
    assert shapes == [(2, 1), (2, 4)]
    assert found["sentence_embedding"].ravel().tolist() == [1, 14, 6, 24]


def test_a_taught_encoder_learns_the_shares_and_the_positives_of_others() -> None:
    """Each question meets its positive at cosine 1 and all others at 0."""
    torch = require("torch")
    require("sentence_transformers")
    from rirag_workbench.training.runs.encoder import TaughtRankingLoss
    from rirag_workbench.training.runs.teacher import logarithms

    axes = torch.eye(6)
    columns = [{"input_ids": axes[places]} for places in ([0, 1], [0, 1], [2, 3])]
    loss = TaughtRankingLoss(toy_model(), 2.0)
    e2 = torch.e**2

    def found(share: float) -> float:
        labels = torch.tensor([logarithms([share, 1 - share])] * 2)
        return float(loss(columns, labels))

    ranking = float(torch.log(torch.tensor((e2 + 1) / e2)))
    assert found(1.0) == pytest.approx(ranking + ranking / 2, abs=1e-5)
    assert found(e2 / (e2 + 1)) == pytest.approx(ranking / 2, abs=1e-5), "as the teacher wants it"
