"""An index beside another: in the same place, and apart from it."""

from __future__ import annotations

from dataclasses import replace

from engine_samples import IndexUnderTest, ids, passage, question, texts

from conformance.rebuilds import OTHER, rebuild
from search.answered_questions.questions import RELEVANT, url_beside
from search.records import Filters


def sibling(index: IndexUnderTest) -> IndexUnderTest:
    """The index of questions beside an index."""
    return replace(index, url=url_beside(index.url))


class Beside:
    """The answered questions of an index, and loads of either."""

    def test_there_is_nothing_beside_a_new_index(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "old fund"))
        assert sibling(index).url != index.url
        assert not index.backend.exists(sibling(index).url)

    def test_each_of_the_two_holds_its_own(self, index: IndexUnderTest) -> None:
        own = index.write(texts("A", "old fund"), texts("B", "broker"))
        other = sibling(index).write(texts("A", "which fund"))
        assert [one.text for one in index.content()] == ["old fund", "broker"]
        assert [one.text for one in sibling(index).content()] == ["which fund"]
        with index.opened() as engine, sibling(index).opened() as questions:
            assert (engine.describe(), questions.describe()) == (own, other)
            assert ids(engine, engine.run(question("fund")).lexical) == ["A/1"]
            assert ids(questions, questions.run(question("which")).lexical) == ["A/1"]
            assert engine.verify() == questions.verify() == []

    def test_loads_of_one_leave_the_other(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        told = sibling(index).write(texts("Q", "who"))
        index.write(texts("A", "one of two"))
        index.write(texts("B", "two"), delete=["A"])  # more states than are kept
        with sibling(index).opened() as questions:
            assert questions.describe() == told
        sibling(index).write(texts("R", "where"), delete=["Q"])
        assert [one.id for one in index.content()] == ["B/1"]
        assert [one.id for one in sibling(index).content()] == ["R/1"]

    def test_both_can_be_loaded_at_once(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        with index.begin(), sibling(index).begin():
            pass
        assert not index.backend.exists(sibling(index).url)

    def test_each_of_the_two_has_its_own_encoder(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one"))
        sibling(index).write(texts("Q", "who"))
        rebuild(index, "new fund")
        with index.opened() as engine, sibling(index).opened() as questions:
            assert engine.describe().encoder == OTHER
            assert questions.describe().encoder != OTHER

    def test_several_texts_in_a_field_come_back_in_their_order(self, index: IndexUnderTest) -> None:
        names = ("b", "a/1", "ü (x) = \\ ✓", "a")
        metadata = {RELEVANT: names}
        sibling(index).write([passage("00", "q-1", "which fund", metadata=metadata)])
        (found,) = sibling(index).content()
        assert found.metadata[RELEVANT] == names
        with sibling(index).opened() as questions:
            assert RELEVANT in questions.describe().filter_fields
            asked = Filters({RELEVANT: ("a/1",)})
            assert [one.id for _, one in questions.find(asked)] == [found.id]
