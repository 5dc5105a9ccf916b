"""Answered questions on a server: the same votes as in a folder, no colliding indices."""

from __future__ import annotations

import asyncio
import json
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_support import run_here
from sample import QUESTIONS, RULEBOOK, ingest_rulebook, record, write_lines
from server_processes import TestServer, on

import indexer
import search
from rirag.inputs.gold import read_answered_questions
from search.engines.servers.connection.client import Client
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER
from search.models.encoders.protocol import Encoder

ASKED = "How quickly must the MLRO report to the FIO?"


QUESTION_LINES = (
    {"question_id": "q-1", "question": "Who must report a broken widget?", "relevant": ["id-1"]},
    {"question_id": "q-2", "question": "What does a licence cost?", "relevant": ["id-2"]},
)


@pytest.fixture(scope="module")
def rulebook(server: TestServer, encoder: Encoder) -> Iterator[str]:
    """The sample rulebook with its questions as known ones, on each server; not to be changed."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    url = f"{server.url}/{name}"
    indexer.ingest([RULEBOOK], url, encoder=encoder)
    indexer.add_questions(read_answered_questions([QUESTIONS], url), url)
    yield url
    server.wipe(name)


def load(folder: Path, url: str) -> None:
    """Load a small act into an index, and add two questions."""
    source = write_lines(
        folder / "act.jsonl",
        record("1", "A firm must report every broken widget."),
        record("2", "A licence costs 10 crowns."),
    )
    indexer.ingest([source], url)
    questions = write_lines(folder / "questions.jsonl", *QUESTION_LINES)
    added = run_here("questions", "add", questions, "--index", url, cwd=folder)
    assert added.out.endswith(f"{url} now has 2 answered questions.\n"), added


def test_answered_questions_vote_as_they_do_in_a_folder(rulebook: str, tmp_path: Path) -> None:
    folder = str(ingest_rulebook(tmp_path / "folder"))
    run_here("questions", "add", QUESTIONS, "--index", folder, cwd=tmp_path)
    assert indexer.list_questions(rulebook) == indexer.list_questions(folder)
    for question in (ASKED, "complaint deadline", "annual fees"):
        for filters in ({}, {"document": "AMLR"}):
            with search.open(rulebook) as there, search.open(folder) as here:
                found, wanted = (index.search(question, filters=filters) for index in (there, here))
                asynchronous = asyncio.run(there.search_async(question, filters=filters))
            # Servers keep vectors as 8-bit numbers: nearly equal scores may change places.
            assert {hit.id: hit.score for hit in found.hits} == pytest.approx(
                {hit.id: hit.score for hit in wanted.hits}, abs=0.01
            )
            assert [one.question_id for one in found.trace.similar_questions] == [
                one.question_id for one in wanted.trace.similar_questions
            ]
            assert asynchronous.hits == found.hits
    assert found.trace.candidates["votes"] == wanted.trace.candidates["votes"]


def test_answered_questions_cost_one_round_trip(
    rulebook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with search.open(rulebook, reranker=None) as index:
        index.search(ASKED)
        trips: list[str] = []
        for name in ("multi_search", "search"):
            plain = getattr(Client, name)

            def counted(*given: object, name: str = name, plain: Any = plain) -> object:
                trips.append(name)
                return plain(*given)

            monkeypatch.setattr(Client, name, counted)
        assert index.search(ASKED).trace.similar_questions
    assert trips == ["multi_search", "multi_search"]


def test_the_indices_have_names_that_tell_what_they_hold(rulebook: str, server: TestServer) -> None:
    name = rulebook.rpartition("/")[2]
    aliases = {alias for found in server.indices(name).values() for alias in found}
    assert aliases == {
        name, f"{name}-documents", f"{name}-questions", f"{name}-questions-documents",
    }  # fmt: skip


@on("opensearch")
def test_they_are_changed_by_their_own_commands_only(rulebook: str, tmp_path: Path) -> None:
    for command in (
        ("reindex",), ("reindex", "--rollback"), ("documents", "delete", "00", "--yes"),
    ):  # fmt: skip
        said = run_here(*command, "--index", f"{rulebook}-questions", cwd=tmp_path).refused(2)
        assert said.startswith(f"{rulebook}-questions holds the answered questions of {rulebook}; ")
        assert said.endswith(f"or rirag reindex --index {rulebook}")


@on("opensearch")
def test_questions_follow_to_another_encoder_and_back(index_url: str, tmp_path: Path) -> None:
    load(tmp_path, index_url)
    other = shutil.copytree(MODELS_FOLDER / DEFAULT_ENCODER, tmp_path / "other")
    card = json.loads((other / "encoder.json").read_text())
    (other / "encoder.json").write_text(json.dumps({**card, "name": "other"}))
    shown = run_here("reindex", "--index", index_url, "--encoder", other, cwd=tmp_path)
    assert "2 answered questions rebuilt too.\n" in shown.out
    for encoder in (str(other), DEFAULT_ENCODER):
        with search.open(index_url) as index:
            result = index.search("Who has to report a broken widget?")
        assert (result.plan.encoder, result.trace.notes) == (encoder, ())
        assert [one.question_id for one in result.trace.similar_questions] == ["q-1"]
        if encoder != DEFAULT_ENCODER:
            run_here("reindex", "--index", index_url, "--rollback", cwd=tmp_path)


@on("opensearch")
def test_questions_are_changed_and_removed(index_url: str, tmp_path: Path) -> None:
    load(tmp_path, index_url)
    removed = run_here("questions", "remove", "q-1", "--index", index_url, cwd=tmp_path)
    assert f"{index_url} now has 1 answered question.\n" in removed.out
    assert [one.id for one in indexer.list_questions(index_url)] == ["q-2"]
    run_here("questions", "remove", "--all", "--index", index_url, cwd=tmp_path)
    assert indexer.list_questions(index_url) == []
    doctor = run_here("doctor", "--index", index_url, cwd=tmp_path)
    assert (doctor.code, "ok   answered questions: none\n" in doctor.out) == (0, True)


@on("opensearch")
def test_a_search_goes_on_without_answered_questions_whose_opened_state_is_gone(
    index_url: str, server: TestServer, tmp_path: Path
) -> None:
    load(tmp_path, index_url)
    question = "Who has to report a broken widget?"
    with search.open(index_url) as index:
        assert index.search(question).trace.similar_questions
        for held in server.indices(f"{index_url.rpartition('/')[2]}-questions-"):
            server.call("DELETE", f"/{held}")
        for found in (index.search(question), asyncio.run(index.search_async(question))):
            assert [hit.id for hit in found.hits][:1] == ["id-1"]
            assert (found.trace.similar_questions, "votes" in found.trace.candidates) == (
                (),
                False,
            )
            assert "answered questions are ignored" in found.trace.notes[0]
        assert index.refresh()
        assert index.search(question).trace.notes == ()


@pytest.mark.parametrize("lost", [("",), ("-documents",), ("", "-documents")])
@on("opensearch")
def test_answered_questions_that_lost_an_index_are_told_and_brought_back(
    index_url: str, server: TestServer, tmp_path: Path, lost: tuple[str, ...]
) -> None:
    load(tmp_path, index_url)
    run_here("questions", "remove", "q-1", "--index", index_url, cwd=tmp_path)
    delete_behind(server, index_url, *lost)
    advice = f"return to it with: rirag reindex --rollback --index {index_url}-questions"
    told_everywhere(index_url, tmp_path, advice)
    run_here("reindex", "--rollback", "--index", f"{index_url}-questions", cwd=tmp_path)
    assert [one.id for one in indexer.list_questions(index_url)] == ["q-1", "q-2"]


@pytest.mark.parametrize("lost", ["", "-documents"])
@on("opensearch")
def test_answered_questions_that_are_lost_for_good_are_forgotten_and_added_again(
    index_url: str, server: TestServer, tmp_path: Path, lost: str
) -> None:
    load(tmp_path, index_url)
    delete_behind(server, index_url, lost)
    forget = ("questions", "remove", "--all", "--index", index_url)
    told_everywhere(index_url, tmp_path, f"with: rirag {' '.join(forget)}, and add the questions")
    done = run_here(*forget, cwd=tmp_path)
    assert done.out.endswith(f"{index_url} now has 0 answered questions.\n"), done
    assert indexer.list_questions(index_url) == []
    run_here("questions", "add", "questions.jsonl", "--index", index_url, cwd=tmp_path)
    assert [one.id for one in indexer.list_questions(index_url)] == ["q-1", "q-2"]


def delete_behind(server: TestServer, index_url: str, *endings: str) -> None:
    """Delete what is behind the aliases of the answered questions."""
    for ending in endings:
        alias = f"{index_url.rpartition('/')[2]}-questions{ending}"
        (found,) = server.call("GET", f"/{alias}/_alias")
        server.call("DELETE", f"/{found}")


def told_everywhere(index_url: str, folder: Path, advice: str) -> None:
    """Check that every command that meets the answered questions says what mends them."""
    for command in (
        ("questions", "list"), ("questions", "remove", "q-2"),
        ("questions", "add", "questions.jsonl"), ("reindex",),
    ):  # fmt: skip
        said = run_here(*command, "--index", index_url, cwd=folder).refused(3)
        assert advice in said, (command, said)
    with search.open(index_url) as index:
        (note,) = index.search("Who has to report a broken widget?").trace.notes
    assert note.startswith("answered questions are ignored: ") and advice in note
    doctor = run_here("doctor", "--index", index_url, cwd=folder)
    assert doctor.code != 0 and advice in doctor.out
