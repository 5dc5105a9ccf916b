"""The Python API: opening, searching from threads and tasks, refreshing, refusing."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from coded import coded
from sample import DOCUMENTS, PASSAGES, change_manifest, ingest_rulebook, record, write_lines

import indexer
import search
from search.errors import EncoderMismatchError, IndexUnavailableError, InputError
from search.index import Index
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.protocol import EncodedPassages, Encoder
from search.models.rerankers import DEFAULT_RERANKER

UNTRAINED = "all-minilm-l6-v2-int8"
ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ("client money", "tipping off", "COND 4.1", "who approves senior managers?")


class Renamed:
    """The encoder that ships, under other particulars."""

    def __init__(self, encoder: Encoder, **particulars: object) -> None:
        self.name, self.dimension = encoder.name, encoder.dimension
        self.revision = encoder.revision
        self._encoder = encoder
        vars(self).update(particulars)

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        return self._encoder.encode_questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        return self._encoder.encode_passages(texts)


def test_an_index_describes_itself(rulebook: Index, rulebook_folder: Path) -> None:
    about = rulebook.describe()
    assert (about.url, about.passages, about.documents) == (str(rulebook_folder), PASSAGES, 4)
    assert (about.encoder.name, about.encoder.dimension) == (DEFAULT_ENCODER, 384)
    assert set(about.filter_fields) == {
        "document_id", "effective", "jurisdiction", "kind", "regime", "status", "version",
    }  # fmt: skip
    assert rulebook.verify() == []


def test_documents_passages_and_single_passages_can_be_read(rulebook: Index) -> None:
    assert tuple(one.document_id for one in rulebook.documents()) == DOCUMENTS
    assert sum(one.passages for one in rulebook.documents()) == len(rulebook.passages()) == PASSAGES
    chapter = rulebook.passages({"document_id": "COND", "kind": ["heading", "definition"]})
    assert chapter[0].passage_id == "1"
    assert {one.document_id for one in chapter} == {"COND"}
    first = chapter[0]
    assert rulebook.passage(first.id) == first


def test_passages_take_the_short_code_of_a_document_too(rulebook: Index) -> None:
    by_code = rulebook.passages({"document": "COND"})
    assert by_code == rulebook.passages({"document_id": "COND"})


def test_a_passage_that_is_not_there_is_refused(rulebook: Index) -> None:
    with pytest.raises(InputError, match="no passage has the ID 'nope' in "):
        rulebook.passage("nope")


def test_names_lead_to_documents(rulebook: Index) -> None:
    assert rulebook.document_ids("cond") == ("COND",)
    assert rulebook.document_ids("Conduct Rulebook (COND)") == ("COND",)
    assert rulebook.document_ids("MiFID") == ()


async def test_the_asynchronous_twin_finds_the_same(rulebook: Index) -> None:
    for question in QUESTIONS:
        found = await rulebook.search_async(question, 20, filters={"document": "COND"})
        expected = rulebook.search(question, 20, filters={"document": "COND"})
        assert found.hits == expected.hits
        assert list(found.trace.milliseconds) == list(expected.trace.milliseconds)


async def test_many_searches_at_once_find_what_each_finds_alone(rulebook: Index) -> None:
    found = await asyncio.gather(*(rulebook.search_async(question) for question in QUESTIONS * 4))
    expected = [rulebook.search(question).hits for question in QUESTIONS] * 4
    assert [result.hits for result in found] == expected


async def test_the_event_loop_is_free_while_a_search_runs(rulebook: Index) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    for _ in range(50):
        await rulebook.search_async("annual fee")
    ticking.cancel()
    assert ticks > 10


async def test_the_asynchronous_twin_refuses_the_same(rulebook: Index) -> None:
    with pytest.raises(InputError, check=coded("question.empty")):
        await rulebook.search_async(" ")
    with pytest.raises(InputError, check=coded("argument.out-of-range")):
        await rulebook.search_async("fees", 0)
    with pytest.raises(InputError, check=coded("profile.unknown")):
        await rulebook.search_async("fees", profile="nope")


def test_threads_share_an_index(rulebook: Index) -> None:
    expected = [rulebook.search(question).hits for question in QUESTIONS] * 8
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda question: rulebook.search(question).hits, QUESTIONS * 8))
    assert found == expected


def test_what_others_load_is_seen_after_refresh(index_of: Callable[..., Index]) -> None:
    index = index_of(record("1", "Report every broken widget."))
    folder = Path(index.url)
    opened = index.pipeline
    assert index.refresh() is False
    assert index.pipeline is opened, "nothing is read where nothing is new"
    more = write_lines(folder.parent / "more.jsonl", record("1", "Zebras.", id="z", DocumentID="Z"))
    indexer.ingest([more], index.url)
    assert [one.document_id for one in index.documents()] == ["ACT"]
    assert index.refresh() is True
    assert [one.document_id for one in index.documents()] == ["ACT", "Z"]
    assert index.search("zebra", 1).hits[0].id == "z"


def test_neighbours_are_those_of_now(index_of: Callable[..., Index]) -> None:
    index = index_of(*(record(f"1.{n}", f"Mend widget {n}.") for n in range(3, 9)))
    passage = index.passage("id-1.5")
    source = Path(index.url).parent / "source.jsonl"
    write_lines(source, *(record(f"1.{n}", f"Mend widget {n}.") for n in range(1, 9)))
    indexer.ingest([source], index.url)
    index.refresh()
    assert [one.passage_id for one in index.neighbours(passage)] == ["1.4", "1.6"]
    write_lines(source, record("1.1", "Mend widget 1."))
    indexer.ingest([source], index.url)
    index.refresh()
    with pytest.raises(InputError, match=r"no passage has the ID 'id-1\.5'"):
        index.neighbours(passage)


def test_an_index_that_was_made_anew_is_another_one(index_of: Callable[..., Index]) -> None:
    index = index_of(record("1", "Report every apple."))
    shutil.rmtree(index.url)
    source = write_lines(Path(index.url).parent / "new.jsonl", record("1", "Report every grape."))
    indexer.ingest([source], index.url)
    assert index.refresh() is True
    assert index.refresh() is False
    assert index.search("grape", 1).hits[0].text == "Report every grape."


def test_an_index_stays_the_one_that_was_opened_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        source = write_lines(tmp_path / f"{name}.jsonl", record("1", f"Report it {name}."))
        indexer.ingest([source], tmp_path / name / "index")
    monkeypatch.chdir(tmp_path / "here")
    with search.open("index", reranker=None) as index:
        monkeypatch.chdir(tmp_path / "there")
        assert index.verify() == []
        assert index.refresh() is False
        assert index.search("report", 1).hits[0].text == "Report it here."
        assert index.url == "index"


def test_refresh_keeps_the_encoder_that_is_loaded_until_the_index_has_another(
    index_of: Callable[..., Index],
) -> None:
    index = index_of(record("1", "Report every broken widget."))
    loaded = index.pipeline.encoder
    index.refresh()
    assert index.pipeline.encoder is loaded
    indexer.reindex(index.url, encoder=UNTRAINED)
    index.refresh()
    assert (index.pipeline.encoder.name, index.search("widget").plan.encoder) == (UNTRAINED,) * 2


REFRESHING = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event
import indexer
import search

with search.open(sys.argv[1]) as index:
    expected = index.search("client money").hits

    def work(_):
        while not done.is_set():
            assert index.search("client money").hits == expected

    done = Event()
    with ThreadPoolExecutor(3) as threads:
        results = threads.map(work, range(3))
        for _ in range(4):
            indexer.reindex(sys.argv[1])
            assert index.refresh()
        done.set()
        list(results)
"""


def test_refresh_does_not_disturb_searches_in_other_threads(
    rulebook_folder: Path, tmp_path: Path
) -> None:
    # In a process of its own: memory that is freed too early would end the test run.
    shutil.copytree(rulebook_folder, tmp_path / "index")
    command = [sys.executable, "-c", REFRESHING, str(tmp_path / "index")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("particulars", "named"),
    [
        ({"name": "other"}, r"not of other \(revision [0-9a-f]{16}, 384 dim"),
        ({"revision": "1"}, rf"not of {DEFAULT_ENCODER} \(revision 1, 384 dim"),
        ({"dimension": 8}, rf"not of {DEFAULT_ENCODER} \(.*, 8 dimensions\)"),
    ],
)
def test_another_encoder_is_refused_and_both_are_named(
    rulebook_folder: Path, particulars: dict[str, object], named: str
) -> None:
    other = Renamed(load_encoder(DEFAULT_ENCODER), **particulars)
    with pytest.raises(EncoderMismatchError, match=f"holds vectors of {DEFAULT_ENCODER}") as caught:
        search.open(str(rulebook_folder), encoder=other)
    assert caught.match(named)
    assert caught.match(f"use --encoder {DEFAULT_ENCODER}, or change the index with: rirag reindex")


def test_an_encoder_can_be_given_by_name_or_loaded(rulebook_folder: Path) -> None:
    for encoder in (DEFAULT_ENCODER, load_encoder(DEFAULT_ENCODER)):
        with search.open(str(rulebook_folder), encoder=encoder) as index:
            assert index.search("fees", 1).plan.encoder == DEFAULT_ENCODER


def test_a_reranker_is_used_where_it_is_named(rulebook_folder: Path) -> None:
    with search.open(str(rulebook_folder)) as index:
        assert index.search("When must a complaint be answered?").plan.reranker is None
    with search.open(str(rulebook_folder), reranker=DEFAULT_RERANKER) as index:
        plan = index.search("When must a complaint be answered?").plan
        assert (plan.reranker, plan.rerank_count > 0) == (DEFAULT_RERANKER, True)
        assert (
            index.search("When must a complaint be answered?", rerank=False).plan.reranker is None
        )


@pytest.mark.parametrize("name", ["encoder", "reranker"])
def test_unknown_models_are_refused(rulebook_folder: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"unknown {name} 'nope'; choose one of "):
        search.open(str(rulebook_folder), **{name: "nope"})


def test_a_missing_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexUnavailableError, check=coded("index.missing")):
        search.open(str(tmp_path / "nope"))
    with pytest.raises(IndexUnavailableError, check=coded("index.missing")):
        search.open(str(tmp_path))


@pytest.mark.parametrize("scheme", ["solr+http", "nope"])
def test_an_engine_that_is_not_known_is_told(scheme: str) -> None:
    with pytest.raises(InputError) as caught:
        search.open(f"{scheme}://localhost:9200/rules")
    assert caught.match(f"unknown engine {scheme.replace('+', '.')}://; give --index a fol")


def test_options_of_a_server_mean_nothing_to_a_folder(rulebook_folder: Path) -> None:
    with search.open(str(rulebook_folder), server=search.ServerOptions(shards=3)) as index:
        assert index.describe().engine == "embedded"


def test_an_index_whose_encoder_is_gone_is_told(rulebook_folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(rulebook_folder, tmp_path / "copy")
    change_manifest(copy, encoder_name="gone")
    with pytest.raises(InputError, match="unknown encoder 'gone'"):
        search.open(str(copy))


def test_a_closed_index_says_so(tmp_path: Path) -> None:
    index = search.open(str(ingest_rulebook(tmp_path / "index")))
    index.close()
    with pytest.raises(search.IndexUnavailableError, check=coded("index.closed")):
        index.search("client money")
    with pytest.raises(search.IndexUnavailableError, check=coded("index.closed")):
        index.refresh()


def test_an_index_that_was_closed_is_not_entered_and_names_nothing(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", record("1", "Report it."))
    indexer.ingest([source], tmp_path / "index")
    index = search.open(tmp_path / "index", reranker=None)
    index.close()
    for work in (index.__enter__, lambda: index.document_ids("ACT")):
        with pytest.raises(IndexUnavailableError, check=coded("index.closed")):
            work()


def test_an_unknown_kind_is_refused_with_the_kinds_there_are(rulebook: Index) -> None:
    with pytest.raises(search.InputError, match="unknown kind 'banana'; choose from: rule, "):
        rulebook.search("client money", filters={"kind": "banana"})
