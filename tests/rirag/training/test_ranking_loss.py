from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from extras import require

from rirag.training.runs.rows import Row

pytestmark = pytest.mark.torch

WIDTH = 6
FIRST_AXIS = 10
"""Token ids from here on are axes of the toy model's space."""


def toy_model() -> Any:
    """A model whose vector is the sum of one axis a token; it notes what it was given."""
    torch = require("torch")

    class Toy(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.shapes: list[tuple[int, ...]] = []

        def forward(self, inputs: dict[str, Any]) -> dict[str, Any]:
            self.shapes.append(tuple(inputs["input_ids"].shape))
            axes = torch.eye(WIDTH)[(inputs["input_ids"] - FIRST_AXIS).clamp(min=0)]
            mask = inputs["attention_mask"].unsqueeze(-1)
            return {"sentence_embedding": (axes * mask).sum(dim=1)}

    return Toy()


def column(*texts: tuple[int, ...]) -> dict[str, Any]:
    torch = require("torch")
    width = max(map(len, texts))
    ids = [[FIRST_AXIS + axis for axis in text] + [0] * (width - len(text)) for text in texts]
    mask = [[1] * len(text) + [0] * (width - len(text)) for text in texts]
    return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}


def loss_of(rows: list[Row], *columns: dict[str, Any], scale: float = 2.0) -> float:
    torch = require("torch")
    from rirag.training.encoder.ranking_loss import MaskedRankingLoss

    loss = MaskedRankingLoss(toy_model(), rows, scale)
    return float(loss(columns, torch.arange(len(rows))))


def taught_loss(rows: list[Row], shares: list[list[float]], *columns: dict[str, Any]) -> float:
    torch = require("torch")
    from rirag.training.encoder.taught_loss import TaughtRankingLoss

    loss = TaughtRankingLoss(toy_model(), rows, np.array(shares, np.float32), 2.0)
    return float(loss(columns, torch.arange(len(rows))))


def row(positive: int, negative: int, *known: int) -> Row:
    return Row("?", positive, (negative,), known or (positive,))


def test_the_loss_is_the_cross_entropy_over_all_passages_of_the_batch() -> None:
    """Both questions meet their positive at cosine 1 and three others at 0; the scale is 2."""
    rows = [row(0, 2), row(1, 3)]
    found = loss_of(rows, column((0,), (1,)), column((0,), (1,)), column((2,), (3,)))
    assert found == pytest.approx(-math.log(math.e**2 / (math.e**2 + 3)))


def test_a_known_answer_that_another_row_brought_along_is_no_negative() -> None:
    """The second row's positive answers the first question as well: it leaves its softmax."""
    texts = (column((0,), (0,)), column((0,), (0,)), column((2,), (3,)))
    strict = loss_of([row(0, 2), row(1, 3)], *texts)
    masked = loss_of([row(0, 2, 0, 1), row(1, 3, 0, 1)], *texts)
    one, rest = math.e**2, 2
    assert strict == pytest.approx(-math.log(one / (2 * one + rest)))
    assert masked == pytest.approx(-math.log(one / (one + rest)))


def test_a_positive_that_stands_in_the_batch_twice_is_no_negative_of_itself() -> None:
    texts = (column((0,), (0,)), column((0,), (0,)), column((2,), (3,)))
    rows = [row(0, 2), row(0, 3)]
    assert loss_of(rows, *texts) == pytest.approx(-math.log(math.e**2 / (math.e**2 + 2)))


def test_the_scores_of_a_row_with_its_own_passages_are_one_list() -> None:
    torch = require("torch")
    from rirag.training.encoder.taught_loss import own_lists

    # Two questions; columns: positives of both, first negatives of both, second negatives of both.
    scores = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
    assert own_lists(scores).tolist() == [[0, 2, 4], [7, 9, 11]]


def test_of_a_single_row_only_the_shares_of_its_own_passages_count() -> None:
    """The positive has the cosine 1 and the share .6, the first negative 0 and .4."""
    texts = (column((0,)), column((0,)), column((1,)), column((2,)))
    found = taught_loss([Row("?", 0, (1, 2), (0,))], [[0.6, 0.4, 0.0]], *texts)
    assert found == pytest.approx(math.log(math.e**2 + 2) - 0.6 * 2)


def test_passages_of_other_rows_are_negatives_for_half_the_weight() -> None:
    """Each question meets its positive at cosine 1 and all others at 0."""
    texts = (column((0,), (1,)), column((0,), (1,)), column((2,), (3,)))
    certain = [[1.0, 0.0], [1.0, 0.0]]
    own = -math.log(math.e**2 / (math.e**2 + 1))
    others = -math.log(math.e**2 / (math.e**2 + 2))  # the other row's two
    found = taught_loss([row(0, 2), row(1, 3)], certain, *texts)
    assert found == pytest.approx(own + others / 2)


def test_the_teacher_alone_judges_a_negative_that_other_rows_bring_along() -> None:
    """Both rows have the same negative, whose place in either list is left to the teacher."""
    texts = (column((0,), (1,)), column((0,), (1,)), column((2,), (2,)))
    own = -math.log(math.e**2 / (math.e**2 + 1))
    others = -math.log(math.e**2 / (math.e**2 + 1))  # the other row's positive
    found = taught_loss([row(0, 2), row(1, 2)], [[1.0, 0.0], [1.0, 0.0]], *texts)
    assert found == pytest.approx(own + others / 2)


def test_texts_are_encoded_by_length_without_their_padding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = require("torch")
    from rirag.training.encoder import ranking_loss

    monkeypatch.setitem(ranking_loss.TEXTS_AT_ONCE, "cpu", 2)
    model = toy_model()
    columns = [column((0,), (0, 1, 2, 3)), column((4,), (1, 2, 3))]
    found, mask = ranking_loss.by_length(columns, lambda texts: model(texts)["sentence_embedding"])
    assert model.shapes == [(2, 1), (2, 4)]
    expected = torch.zeros(4, WIDTH)
    for number, text in enumerate([(0,), (0, 1, 2, 3), (4,), (1, 2, 3)]):
        expected[number, list(text)] = 1
    assert torch.equal(found, expected)
    assert mask.sum(dim=1).tolist() == [1, 4, 1, 3]
