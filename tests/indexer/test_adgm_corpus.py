"""The readers and the hierarchy on the 40 documents of ObliQA."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import indexer
from search.provisions.numbering import segments
from search.records import Passage

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def corpus(data_folder: Path) -> list[Passage]:
    return list(indexer.read(data_folder / "obliqa" / "documents"))


def test_all_passages_are_read_in_document_order(corpus):
    assert len(corpus) == 13_732
    assert list(dict.fromkeys(p.document_id for p in corpus)) == [str(n) for n in range(1, 41)]
    assert corpus[0].document_title == "AML_VER09.211223"


def test_empty_passages_and_repeated_numbers_are_reported(data_folder, ingest):
    documents = data_folder / "obliqa" / "documents"
    report = ingest(documents / "7.json", documents / "11.json")
    assert (report.passages, report.empty) == (1861, 143)
    assert len(report.repeated) == 20
    assert len({(place.document_id, place.passage_id) for place in report.repeated}) == 15
    assert (len(report.added), report.duplicates, report.skipped) == (2, (), ())


def test_every_parent_is_the_longest_existing_prefix(corpus):
    by_id = {passage.id: passage for passage in corpus}
    numbers = {(p.document_id, segments(p.passage_id)) for p in corpus}
    for passage in corpus:
        number = segments(passage.passage_id)
        prefixes = (number[:end] for end in range(len(number) - 1, 0, -1))
        nearest = next((p for p in prefixes if (passage.document_id, p) in numbers), None)
        parent = by_id[passage.parent] if passage.parent else None
        assert (segments(parent.passage_id) if parent else None) == nearest
        assert len(passage.breadcrumb) == (len(parent.breadcrumb) + 1 if parent else 0)
        assert parent is None or parent.document_id == passage.document_id


def test_known_places_have_the_right_breadcrumb(corpus):
    places = {(p.document_id, p.passage_id): p for p in corpus}
    assert places["1", "1.2.1.(1)"].breadcrumb == ("1. INTRODUCTION", "1.2 Application", "1.2.1")
    assert places["17", "Part 1.Chapter 1.1.(1)"].breadcrumb == (
        "Part 1 The Regulator",
        "Part 1.Chapter 1 Powers, Functions and Objectives",
        "Part 1.Chapter 1.1. Powers, Functions and Objectives of the Regulator",
    )


def test_kinds_are_told_apart(corpus):
    kinds = Counter(passage.kind for passage in corpus)
    assert kinds["rule"] > kinds["guidance"] > kinds["heading"] > kinds["table"] > 50


def test_the_text_reader_finds_the_numbers_that_people_set(data_folder, corpus):
    gold = {}
    for passage in corpus:
        gold.setdefault(passage.document_id, Counter())[_visible(passage.passage_id)] += 1
    shared = total = 0
    for path in sorted((data_folder / "adgm_originals").glob("*.txt")):
        found = Counter(_visible(passage.passage_id) for passage in indexer.read(path))
        shared += 2 * (found & gold[path.stem]).total()
        total += found.total() + gold[path.stem].total()
    assert shared / total > 0.99


def _visible(number: str) -> str:
    return number.replace("\u200e", "").strip()
