"""Passages are found by ID, parent and number, and come back as they went in."""

from __future__ import annotations

from engine_samples import IndexUnderTest, ids, passage, question, texts

from search.engines.protocol import RetrievalResults
from search.provisions.numbering import lookup_keys
from search.records import DocumentSummary, Filters, Passage

WHOLE = passage(
    "COBS",
    "3.4.2.(b)",
    "A Firm must not mislead.",
    document_title="COBS_VER15.150823",
    kind="guidance",
    order=1,
    depth=4,
    parent="COBS/3.4.2",
    breadcrumb=("3 Promotions", "3.4 Content"),
    metadata={"topic": ("promotion", "conduct"), "year": 2023, "weight": 0.5, "live": True},
    source="cobs.json:7",
)
HEAD = passage("COBS", "3.4.2", "", document_title="COBS_VER15.150823")


def find(index: IndexUnderTest, **fields: str) -> list[str]:
    with index.opened() as engine:
        wanted = Filters({name: (value,) for name, value in fields.items()})
        return [found.id for _, found in engine.find(wanted)]


class Lookups:
    """Reads passages and documents back."""

    def test_a_passage_comes_back_as_it_went_in(self, index: IndexUnderTest) -> None:
        index.write([HEAD, WHOLE])
        assert index.content() == [HEAD, WHOLE]

    def test_find_by_id_parent_and_number(self, index: IndexUnderTest) -> None:
        index.write([HEAD, WHOLE], texts("GEN", "one", "two"))
        assert find(index, id="GEN/2") == ["GEN/2"]
        assert find(index, parent="COBS/3.4.2") == ["COBS/3.4.2.(b)"]
        assert find(index, number=lookup_keys("3.4.2(b)")[0]) == ["COBS/3.4.2.(b)"]
        assert find(index, id="nobody") == find(index, number="nothing") == []

    def test_lookups_combine_with_filters(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "two"), texts("B", "one", "two"))
        assert find(index, number=lookup_keys("2")[0]) == ["A/2", "B/2"]
        assert find(index, number=lookup_keys("2")[0], document_id="B") == ["B/2"]

    def test_a_number_that_occurs_twice_gives_both(self, index: IndexUnderTest) -> None:
        twins = [passage("A", "1.1", text, id=text) for text in ("first", "second")]
        index.write(twins)
        assert find(index, number=lookup_keys("1.1")[0]) == ["first", "second"]

    def test_find_gives_index_order_score_one_and_a_limit(self, index: IndexUnderTest) -> None:
        index.write(texts("B", "one", "two"), texts("A", "one", "two"))
        with index.opened() as engine:
            found = engine.find(Filters(), limit=3)
        assert [(one.score, one.document_id, p.id) for one, p in found] == [
            (1.0, "B", "B/1"), (1.0, "B", "B/2"), (1.0, "A", "A/1"),
        ]  # fmt: skip

    def test_passages_come_in_the_order_asked(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "two", "three"))
        with index.opened() as engine:
            keys = {found.id: one.key for one, found in engine.find(Filters())}
            order = ["A/3", "A/1", "A/2", "A/1"]
            assert [p.id for p in engine.passages([keys[name] for name in order])] == order
            assert engine.passages([]) == []

    def test_any_number_of_passages_can_be_asked_for(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "two"))
        with index.opened() as engine:
            key = engine.find(Filters())[1][0].key
            assert len(engine.passages([key] * 260_000)) == 260_000

    def test_any_number_of_passages_can_be_looked_up(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "one", "two"))
        many = ("A/2", *(f"X/{n}" for n in range(60_000)), "A/1")
        with index.opened() as engine:
            found = [one.id for _, one in engine.find(Filters({"id": many}))]
        assert found == ["A/1", "A/2"]

    def test_empty_passages_are_in_no_retriever_but_can_be_found(
        self, index: IndexUnderTest
    ) -> None:
        described = index.write(texts("A", "fund", "", "  "))
        assert (described.passages, described.empty_passages) == (3, 2)
        with index.opened() as engine:
            found = engine.run(question("fund", depth=1000))
            assert ids(engine, found.lexical) == ids(engine, found.dense) == ["A/1"]
        assert find(index, id="A/2") == ["A/2"]
        assert find(index, number=lookup_keys("3")[0]) == ["A/3"]

    def test_an_index_may_hold_only_empty_passages(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "", ""))
        with index.opened() as engine:
            found = engine.run(question("fund"))
        assert found == RetrievalResults()
        assert len(index.content()) == 2

    def test_documents_are_listed_with_what_their_passages_share(
        self, index: IndexUnderTest
    ) -> None:
        def book(name: str, *years: int) -> list[Passage]:
            return [
                passage(name, str(i), "text", metadata={"regime": "common", "year": year})
                for i, year in enumerate(years)
            ]

        described = index.write(book("Z", 2001, 2001), book("A", 2001, 2002, 2003))
        with index.opened() as engine:
            assert engine.documents() == [
                DocumentSummary("Z", "Title of Z", 2, {"regime": "common", "year": 2001}),
                DocumentSummary("A", "Title of A", 3, {"regime": "common"}),
            ]
        assert (described.documents, described.passages) == (2, 5)
