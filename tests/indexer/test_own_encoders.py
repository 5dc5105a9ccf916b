"""Encoders as callers of the indexer name them or bring them along."""

from __future__ import annotations

from collections.abc import Callable
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
from search.models.encoders.protocol import EncodedPassages


@pytest.fixture
def source(tmp_path: Path) -> Path:
    records = [record(str(number), f"Rule {number}: report it.") for number in (1, 2, 3)]
    return write_lines(tmp_path / "source.jsonl", *records)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.mark.parametrize("name", [DEFAULT_ENCODER, str(MODELS_FOLDER / DEFAULT_ENCODER)])
def test_an_encoder_may_be_named(source: Path, place: Path, name: str) -> None:
    report = indexer.ingest(source, place, encoder=name)
    assert report.index.encoder.name == name
    assert indexer.reindex(place, encoder=name).reused == 3
    question = search.AnsweredQuestion("q", "What is to be reported?", ("id-1",))
    assert indexer.add_questions([question], place, encoder=name).added == ("q",)


def test_an_encoder_may_be_the_path_of_its_folder(source: Path, place: Path) -> None:
    folder = MODELS_FOLDER / DEFAULT_ENCODER
    report = indexer.ingest(source, place, encoder=folder)
    assert report.index.encoder.name == str(folder)


def test_an_unknown_name_is_refused_before_anything_is_read(place: Path) -> None:
    for work in (indexer.ingest, indexer.encode):
        with pytest.raises(InputError, match="unknown encoder 'nope'; choose one of "):
            work("no such file", place, encoder="nope")


@pytest.mark.parametrize(
    "work",
    [
        lambda url: indexer.ingest("source.jsonl", url),
        indexer.reindex,
        indexer.rollback,
        lambda url: indexer.add_questions([], url),
        lambda url: indexer.remove_questions(None, url),
        indexer.list_questions,
    ],
)
def test_what_names_no_index_is_refused_everywhere(work: Callable[[Any], object]) -> None:
    for name in (None, "a\0b"):
        with pytest.raises(InputError, check=lambda error: error.code == "index.invalid-name"):
            work(name)


def test_an_index_may_be_a_path_everywhere(source: Path, place: Path) -> None:
    indexer.ingest(source, place, encoder=DEFAULT_ENCODER)
    question = search.AnsweredQuestion("q", "What is to be reported?", ("id-1",))
    assert indexer.add_questions([question], place).index_url == str(place)
    assert [one.id for one in indexer.list_questions(place)] == ["q"]
    assert indexer.remove_questions("q", place).removed == ("q",)
    with pytest.raises(InputError, match=f"the index {place} is a folder"):
        indexer.rollback(place)


def test_titles_may_be_a_text_or_a_path(source: Path, tmp_path: Path) -> None:
    titles = tmp_path / "names.json"
    titles.write_text('{"ACT": "The Act"}', encoding="utf-8")
    by_path, by_text = (indexer.structure(source, titles=one) for one in (titles, str(titles)))
    assert by_path == by_text


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (raising(ValueError("bad token")), r"failed on 3 texts \(ValueError: bad token\)$"),
        (raising(KeyError("vocab")), r"failed on 3 texts \(KeyError: 'vocab'\)$"),
        (giving(None), "gave NoneType for 3 passages instead of EncodedPassages"),
        (giving([[1.0] * DIMENSION] * 3), "gave list for 3 passages instead of EncodedPassages"),
        (lambda texts: unit_vectors(texts)[:0], r"gave vectors of shape \(0, 8\) for 3 texts"),
        (lambda texts: unit_vectors(texts)[:, :4], r"gave vectors of shape \(3, 4\) for 3 texts"),
        (scaled(np.nan), "gave 3 of 3 vectors with a length other than 1, the first of length nan"),
        (scaled(0), "gave 3 of 3 vectors with a length other than 1, the first of length 0"),
        (scaled(2.5), "gave 3 of 3 vectors with a length other than 1, the first of length 2.5"),
        (
            lambda texts: EncodedPassages(unit_vectors(texts), (False,)),
            "must report for each of 3 passages whether it was truncated, .* not ",
        ),
    ],
)
def test_what_an_encoder_does_wrong_with_passages_is_told(
    source: Path, place: Path, gives: Any, told: str
) -> None:
    with pytest.raises(ModelError, match=f"^the encoder mine {told}"):
        indexer.ingest(source, place, encoder=OwnEncoder(passages=gives))
    assert indexer.ingest(source, place, encoder=OwnEncoder()).encoded == 3


def test_an_interrupt_comes_through_an_encoder_as_it_is(source: Path, place: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        indexer.ingest(source, place, encoder=OwnEncoder(passages=raising(KeyboardInterrupt())))


def test_answered_questions_of_an_own_encoder_can_be_removed(source: Path, place: Path) -> None:
    own = OwnEncoder()
    indexer.ingest(source, place, encoder=own)
    question = search.AnsweredQuestion("q", "What is to be reported?", ("id-1",))
    indexer.add_questions([question], place, encoder=own)
    told = r"was made with the encoder '.*', which cannot be loaded by name; if it is an object"
    for work in (
        lambda: search.open(place),
        lambda: indexer.ingest(source, place),
        lambda: indexer.remove_questions("q", place),
    ):
        with pytest.raises(InputError, match=told):
            work()
    assert indexer.remove_questions("q", place, encoder=own).removed == ("q",)


@pytest.mark.parametrize("kind", [iter, set, np.array, tuple])
def test_ids_of_any_collection_are_removed(
    source: Path, place: Path, kind: Callable[[list[str]], Any]
) -> None:
    indexer.ingest(source, place)
    questions = [
        search.AnsweredQuestion(name, f"What of {name}?", ("id-1",)) for name in ("a", "b")
    ]
    indexer.add_questions(questions, place)
    assert indexer.remove_questions(kind(["a", "b"]), place).removed == ("a", "b")


def test_sources_may_come_one_by_one(source: Path, place: Path) -> None:
    for given in (source.parent.glob("*.jsonl"), iter([str(source)]), {source}):
        assert indexer.ingest(given, place).passages == 3


@pytest.mark.parametrize("odd", [None, 5, b"source.jsonl", [None], [["source.jsonl"]]], ids=repr)
def test_what_names_no_source_is_refused(odd: Any, place: Path) -> None:
    for work in (indexer.ingest, lambda given, _: list(indexer.read(given))):
        with pytest.raises(InputError, match=r"^a source must be a text or a path, not "):
            work(odd, place)


@pytest.mark.parametrize("workers", ["2", None, 1.5, float("nan"), 0])
def test_workers_are_a_whole_number(source: Path, place: Path, workers: Any) -> None:
    with pytest.raises(InputError, match=r"^workers must be "):
        indexer.ingest(source, place, workers=workers)


def test_titles_are_a_file(source: Path, place: Path) -> None:
    titles: Any = {"ACT": "An Act"}
    with pytest.raises(InputError, match=r"^a file of titles must be a text or a path"):
        indexer.ingest(source, place, titles=titles)
