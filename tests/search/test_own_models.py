"""Encoders and rerankers that users bring along: what they do wrong is told in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_encoder import DIMENSION, OwnEncoder, giving, raising, scaled, unit_vectors
from sample import record, write_lines

import indexer
import search
from search.errors import InputError, ModelError
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER
from search.models.rerankers import DEFAULT_RERANKER

NO_NUMBERS = [np.nan, np.inf, 0.0, 3.0, 0.9, 1.1]


@pytest.fixture(scope="module")
def own_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index whose vectors are of an own encoder."""
    folder = tmp_path_factory.mktemp("own")
    source = write_lines(
        folder / "source.jsonl", record("1", "Report widgets."), record("2", "Keep a ledger.")
    )
    indexer.ingest(source, folder / "index", encoder=OwnEncoder())
    return folder / "index"


def ask(own_index: Path, encoder: Any) -> search.SearchResult:
    with search.open(own_index, encoder=encoder, reranker=None) as index:
        return index.search("who reports widgets?")


def test_vectors_that_are_nearly_of_length_one_will_do(own_index: Path) -> None:
    assert ask(own_index, OwnEncoder(questions=scaled(1.01))).hits
    halves = OwnEncoder(questions=lambda texts: unit_vectors(texts).astype(np.float16))
    assert ask(own_index, halves).hits == ask(own_index, OwnEncoder()).hits


@pytest.mark.parametrize("factor", NO_NUMBERS)
def test_a_question_is_not_searched_for_by_a_vector_that_is_none(
    own_index: Path, factor: float
) -> None:
    with pytest.raises(
        ModelError, match="the encoder mine gave 1 of 1 vectors with a length other"
    ):
        ask(own_index, OwnEncoder(questions=scaled(factor)))


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (giving(np.ones((1, DIMENSION + 1), np.float32)), r"shape \(1, 9\) for 1 texts, but .* 8;"),
        (giving(np.zeros((0, DIMENSION), np.float32)), r"shape \(0, 8\) for 1 texts"),
        (giving(np.ones(DIMENSION, np.float32)), r"shape \(8,\) for 1 texts"),
        (giving(None), "gave NoneType for 1 texts instead of a numpy array"),
        (giving([[1.0] * DIMENSION]), "gave list for 1 texts instead of a numpy array"),
        (giving(np.array([["x"] * DIMENSION])), "gave <U1 for 1 texts instead of a numpy array"),
        (raising(ValueError("bad token")), r"failed on 1 texts \(ValueError: bad token\)$"),
        (raising(KeyError("vocab")), r"failed on 1 texts \(KeyError: 'vocab'\)$"),
        (raising(MemoryError()), r"failed on 1 texts \(MemoryError\)$"),
    ],
)
def test_what_an_encoder_does_wrong_with_a_question_is_told(
    own_index: Path, gives: Any, told: str
) -> None:
    with pytest.raises(ModelError, match=f"^the encoder mine .*{told}"):
        ask(own_index, OwnEncoder(questions=gives))


@pytest.mark.parametrize("error", [InputError("set KEY"), KeyboardInterrupt()], ids=repr)
def test_refusals_and_interrupts_come_through_an_encoder_as_they_are(
    own_index: Path, error: BaseException
) -> None:
    with pytest.raises(type(error)) as caught:
        ask(own_index, OwnEncoder(questions=raising(error)))
    assert caught.value is error


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"revision": 5}, "the encoder mine must have a `revision`, a text, not 5"),
        ({"name": None}, "the encoder of class OwnEncoder must have a `name`, a text, not None"),
        ({"dimension": 0}, "the encoder mine must have a `dimension`, .* above 0, not 0"),
        ({"dimension": "8"}, "the encoder mine must have a `dimension`, .* above 0, not '8'"),
    ],
)
def test_an_encoder_that_cannot_tell_what_it_is_is_refused_at_once(
    own_index: Path, tmp_path: Path, members: dict[str, Any], told: str
) -> None:
    encoder = OwnEncoder(**members)
    with pytest.raises(ModelError, match=told):
        search.open(own_index, encoder=encoder)
    with pytest.raises(ModelError, match=told):
        indexer.ingest(tmp_path / "no such file", tmp_path / "index", encoder=encoder)
    assert encoder.calls == 0


def test_a_dimension_may_be_a_number_of_numpy(own_index: Path) -> None:
    assert ask(own_index, OwnEncoder(dimension=np.int64(DIMENSION))).hits


class Nameless:
    """No reranker: nothing would tell a plan what it is."""

    def score(self, question: str, passages: list[str]) -> np.ndarray:
        return np.zeros(len(passages))


class Scoreless:
    """No reranker: it cannot score."""

    name = "mute"


@pytest.mark.parametrize(
    ("reranker", "told"),
    [
        (Nameless(), "a reranker must have a `name`, a text; an object of class Nameless has none"),
        (Scoreless(), "the reranker mute must have a method `score`"),
    ],
)
def test_an_object_that_is_no_reranker_is_refused_when_the_index_is_opened(
    own_index: Path, reranker: Any, told: str
) -> None:
    with pytest.raises(ModelError, match=told):
        search.open(own_index, encoder=OwnEncoder(), reranker=reranker)


def test_models_may_be_named_by_the_path_of_their_folder(rulebook_folder: Path) -> None:
    reranker = MODELS_FOLDER / DEFAULT_RERANKER
    with search.open(rulebook_folder, encoder=DEFAULT_ENCODER, reranker=reranker) as index:
        assert str(reranker) in str(index.search("client money", 1).plan.reranker)
