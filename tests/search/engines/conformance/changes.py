"""A load is one change: documents replaced, deleted and kept as wholes, or nothing at all."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from engine_samples import ENCODER, IndexUnderTest, ids, passage, put, question, record, texts

from search.candidates import NO_CANDIDATES
from search.errors import (
    EncoderMismatchError,
    IndexBusyError,
    IndexUnavailableError,
    InputError,
    RiragError,
)
from search.messages.refusals import on_index
from search.records import EncoderIdentity


class Changes:
    """Loads, commits, and loads that end without a commit."""

    def test_an_index_exists_from_its_first_commit_on(self, index: IndexUnderTest) -> None:
        assert not index.backend.exists(index.url)
        with index.begin() as load:
            put(load, texts("A", "one"))
            assert not index.backend.exists(index.url)
            load.commit()
        assert index.backend.exists(index.url)

    def test_opening_nothing_says_how_to_make_an_index(self, index: IndexUnderTest) -> None:
        with pytest.raises(IndexUnavailableError, match="rirag ingest"):
            index.backend.open(index.url)

    def test_the_description_says_what_was_loaded(self, index: IndexUnderTest) -> None:
        told = index.write(texts("A", "one", ""), texts("B", "two"))
        with index.opened() as engine:
            assert engine.describe() == told
            assert engine.verify() == []
        assert (told.url, told.encoder) == (index.url, ENCODER)
        assert (told.documents, told.passages, told.empty_passages) == (2, 3, 1)
        assert told.size_bytes > 0

    def test_each_commit_is_another_generation(self, index: IndexUnderTest) -> None:
        seen = {index.write(texts("A", f"version {i}")).generation for i in range(3)}
        assert len(seen) == 3

    def test_the_versions_of_a_document_are_kept_until_it_is_replaced(
        self, index: IndexUnderTest
    ) -> None:
        with index.begin() as load:
            put(load, texts("A", "one"), history="{“versions” of A}")
            put(load, texts("B", "two"))
            load.commit()
        index.write(texts("C", "three"))
        with index.opened() as engine:
            assert [engine.history(one) for one in "ABC"] == ["{“versions” of A}", "", ""]
        index.write(texts("A", "other"))
        with index.opened() as engine:
            assert engine.history("A") == ""

    def test_a_document_is_searched_as_a_whole_by_the_words_in_force(
        self, index: IndexUnderTest
    ) -> None:
        past = passage("A", "2", "lanterns", metadata={"status_in_time": "../2001-12-31"})
        index.write([*texts("A", "one"), past], texts("B", "two"))
        with index.opened() as engine:
            whole = replace(question("lanterns"), documents=True)
            assert engine.run(whole).documents == ()
            assert ids(engine, engine.run(whole).lexical) == [past.id]

    def test_a_document_is_replaced_as_a_whole_and_keeps_its_place(
        self, index: IndexUnderTest
    ) -> None:
        index.write(texts("A", "one", "two", "three"), texts("B", "other"))
        index.write(texts("A", "two", "fresh"))
        assert [(p.id, p.text) for p in index.content()] == [
            ("A/1", "two"), ("A/2", "fresh"), ("B/1", "other"),
        ]  # fmt: skip
        with index.opened() as engine:
            assert engine.run(question("three")).lexical == NO_CANDIDATES
            assert ids(engine, engine.run(question("fresh")).lexical) == ["A/2"]
            assert ids(engine, [engine.run(question("other")).dense[0]]) == ["B/1"]

    def test_a_document_given_twice_in_a_load_is_the_later_one(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "early", "early too"), texts("A", "late"))
        assert [p.text for p in index.content()] == ["late"]

    def test_a_deleted_document_is_in_no_retriever_and_no_list(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund one"), texts("B", "fund two"), texts("C", "fund three"))
        index.write(delete=["B"])
        with index.opened() as engine:
            found = engine.run(question("fund"))
            assert ids(engine, found.lexical) == ["A/1", "C/1"]
            assert sorted(ids(engine, found.dense)) == ["A/1", "C/1"]
            assert [name for name, _ in found.documents] == ["A", "C"]
            assert [one.document_id for one in engine.documents()] == ["A", "C"]

    def test_the_last_document_can_be_deleted(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        described = index.write(delete=["A"])
        assert (described.documents, described.passages) == (0, 0)
        with index.opened() as engine:
            assert engine.run(question("one")).dense == NO_CANDIDATES
        index.write(texts("A", "one"))
        assert len(index.content()) == 1

    def test_deleting_an_unknown_document_is_refused(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        told = on_index("'Z'; list them with: rirag documents list", index.url)
        with index.begin() as load, pytest.raises(InputError, match=re.escape(told)):
            load.delete_document("Z")

    def test_a_deleted_document_may_come_again(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "old", "older"), texts("B", "other"))
        index.write(texts("A", "new"), delete=["A"])
        assert [p.text for p in index.content() if p.document_id == "A"] == ["new"]

    def test_content_hashes_are_kept_for_the_next_load(self, index: IndexUnderTest) -> None:
        with index.begin() as load:
            assert dict(load.document_hashes()) == {}
            put(load, texts("A", "one"), content_hash="first")
            put(load, texts("B", "two"), content_hash="second")
            load.commit()
        with index.begin() as load:
            assert dict(load.document_hashes()) == {"A": "first", "B": "second"}

    def test_a_load_left_without_commit_changes_nothing(self, index: IndexUnderTest) -> None:
        told = index.write(texts("A", "one"))
        with index.begin() as load:
            put(load, texts("A", "changed"))
            put(load, texts("B", "added"))
        with pytest.raises(KeyError), index.begin() as load:
            load.delete_document("A")
            raise KeyError
        with index.opened() as engine:
            assert engine.describe() == told
        assert [p.text for p in index.content()] == ["one"]

    def test_an_id_of_another_document_is_refused(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        thief = passage("B", "9", "stolen", id="A/1")
        with pytest.raises(InputError) as error, index.begin() as load:
            put(load, [thief])
            load.commit()
        message = str(error.value)
        assert all(word in message for word in ("A/1", "'A'", "'B'")), message
        assert [p.document_id for p in index.content()] == ["A"]

    def test_two_passages_of_one_id_in_a_load_are_refused(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        twins = [passage("B", number, "text", id="same") for number in ("1", "2")]
        with pytest.raises(InputError, match="same"), index.begin() as load:
            put(load, twins)
            load.commit()
        assert [p.document_id for p in index.content()] == ["A"]

    def test_an_id_may_move_when_its_document_goes(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        index.write([passage("B", "9", "moved", id="A/1")], delete=["A"])
        assert [(p.id, p.document_id) for p in index.content()] == [("A/1", "B")]

    @pytest.mark.parametrize(
        "other",
        [
            EncoderIdentity("another", ENCODER.dimension, ENCODER.revision),
            EncoderIdentity(ENCODER.name, ENCODER.dimension, "2"),
            EncoderIdentity(ENCODER.name, 24, ENCODER.revision),
        ],
        ids=["name", "revision", "dimension"],
    )
    def test_another_encoder_is_refused_and_both_are_named(
        self, index: IndexUnderTest, other: EncoderIdentity
    ) -> None:
        index.write(texts("A", "one"))
        with pytest.raises(EncoderMismatchError) as error:
            index.begin(other)
        message = str(error.value)
        assert all(word in message for word in (ENCODER.name, other.name, "--encoder", "--index"))
        index.write(texts("B", "two"))

    def test_a_second_writer_is_refused_until_the_first_is_done(
        self, index: IndexUnderTest
    ) -> None:
        with index.begin() as load:
            put(load, texts("A", "one"))
            with pytest.raises(IndexBusyError, match="wait"):
                index.begin()
            load.commit()
        index.write(texts("B", "two"))
        assert len(index.content()) == 2

    def test_a_passage_without_its_vector_is_refused(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        with index.begin() as load:
            load.staging.put("B", "hash", [record(p) for p in texts("B", "two")])
            with pytest.raises(RiragError, match="vector"):
                load.commit()
        assert [p.text for p in index.content()] == ["one"]
