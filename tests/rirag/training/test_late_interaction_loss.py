from __future__ import annotations

import math
from typing import Any

import pytest
from extras import require

from rirag.training.runs.rows import Row

pytestmark = pytest.mark.torch

WIDTH = 8
MARKER = 7
"""Axis of the tokens that stand before and after each text."""


def toy_model() -> Any:
    """A model that gives each token the axis of its number, whatever stands beside it."""
    torch = require("torch")

    class Toy(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, inputs: dict[str, Any]) -> dict[str, Any]:
            return {"token_embeddings": 3 * torch.eye(WIDTH)[inputs["input_ids"]]}

    return Toy()


def column(*texts: tuple[int, ...]) -> dict[str, Any]:
    torch = require("torch")
    marked = [(MARKER, *text, MARKER) for text in texts]
    width = max(map(len, marked))
    return {
        "input_ids": torch.tensor([[*text] + [0] * (width - len(text)) for text in marked]),
        "attention_mask": torch.tensor(
            [[1] * len(text) + [0] * (width - len(text)) for text in marked]
        ),
    }


def scores(questions: dict[str, Any], passages: dict[str, Any]) -> Any:
    from rirag.training.reranker.late_interaction_loss import late_interaction, token_vectors

    vectors, words = token_vectors(toy_model(), [questions, passages])
    count = len(questions["input_ids"])
    return late_interaction(vectors[:count], words[:count], vectors[count:], words[count:])


def loss_of(rows: list[Row], *columns: dict[str, Any]) -> float:
    torch = require("torch")
    from rirag.training.reranker.late_interaction_loss import LateInteractionLoss

    loss = LateInteractionLoss(toy_model(), rows, scale=2.0)
    return float(loss(columns, torch.arange(len(rows))))


def test_a_score_is_the_share_of_the_questions_tokens_that_the_passage_has() -> None:
    """Markers are alike everywhere, and padding is token 0: neither counts."""
    found = scores(column((1, 2), (3,)), column((1,), (2, 1, 1, 4), (5, 3)))
    assert found.tolist() == [[0.5, 1, 0], [0, 0, 1]]


def test_a_text_without_tokens_has_a_finite_score() -> None:
    found = scores(column((), (1,)), column((1,), ()))
    assert found[0].tolist() == [0, 0]
    assert found[1].tolist() == [1, -1]


def test_the_loss_is_the_cross_entropy_over_all_passages_of_the_batch() -> None:
    """Both questions meet their positive with score 1 and three others with 0; the scale is 2."""
    rows = [Row("?", 0, (2,), (0,)), Row("?", 1, (3,), (1,))]
    found = loss_of(rows, column((1,), (2,)), column((1,), (2,)), column((3,), (4,)))
    assert found == pytest.approx(-math.log(math.e**2 / (math.e**2 + 3)))


def test_a_known_answer_that_another_row_brought_along_is_no_negative() -> None:
    texts = (column((1,), (1,)), column((1,), (1,)), column((2,), (3,)))
    strict = loss_of([Row("?", 0, (2,), (0,)), Row("?", 1, (3,), (1,))], *texts)
    masked = loss_of([Row("?", 0, (2,), (0, 1)), Row("?", 1, (3,), (1, 0))], *texts)
    one = math.e**2
    assert strict == pytest.approx(-math.log(one / (2 * one + 2)))
    assert masked == pytest.approx(-math.log(one / (one + 2)))


def test_steps_against_the_gradient_teach_the_order() -> None:
    """The words of question and answer differ, and begin as far apart as those of the negative."""
    torch = require("torch")
    from rirag.training.reranker.late_interaction_loss import LateInteractionLoss

    class Taught(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.table = torch.nn.Embedding.from_pretrained(torch.eye(WIDTH), freeze=False)

        def forward(self, inputs: dict[str, Any]) -> dict[str, Any]:
            return {"token_embeddings": self.table(inputs["input_ids"])}

    loss = LateInteractionLoss(Taught(), [Row("?", 0, (1,), (0,))])
    columns, labels = [column((1,)), column((2,)), column((3,))], torch.arange(1)
    optimiser = torch.optim.SGD(loss.parameters(), lr=0.1)
    first = loss(columns, labels)
    for _ in range(10):
        optimiser.zero_grad()
        loss(columns, labels).backward()
        optimiser.step()
    assert first.item() == pytest.approx(math.log(2))
    assert loss(columns, labels).item() < 0.01
