"""Filters act inside every retriever: nothing leaks, nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_samples import IndexUnderTest, ids, passage, question

from search.errors import InputError
from search.records import Filters, Passage

TOPICS = ("funds", "banks", "aml")


def corpus() -> list[list[Passage]]:
    """Three documents of 40 passages that differ in topic, regime and year."""
    return [
        [
            passage(
                name,
                str(i),
                f"A firm must report {name} item {i}",
                kind="guidance" if i % 4 == 0 else "rule",
                metadata={
                    "topic": (TOPICS[i % 3], TOPICS[(i + 1) % 3]),
                    "regime": "civil" if name == "C" else "common",
                    "year": 2000 + i % 5,
                },
            )
            for i in range(40)
        ]
        for name in "ABC"
    ]


CONDITIONS = [
    {"document_id": ("B",)},
    {"document_id": ("C", "A")},
    {"kind": ("guidance",)},
    {"topic": ("banks",)},
    {"topic": ("banks", "aml")},
    {"year": ("2003",)},
    {"topic": ("funds",), "kind": ("rule",), "regime": ("common",)},
    {"regime": ("civil",), "document_id": ("A", "B")},
    {"topic": ("no such topic",)},
    {"topic": ("no such topic", "aml"), "year": ("2001", "2002")},
    {"kind": ()},
]


def meets(passage: Passage, fields: dict[str, tuple[str, ...]]) -> bool:
    """Say what a filter means, in a line of Python a field."""
    own = {"document_id": passage.document_id, "kind": passage.kind, **passage.metadata}
    values = {
        name: set(value) if isinstance(value, tuple) else {str(value)}
        for name, value in own.items()
    }
    return all(values[name] & set(wanted) for name, wanted in fields.items())


class FilteredRetrievers:
    """Compares each filter with its meaning."""

    @pytest.mark.parametrize("fields", CONDITIONS, ids=str)
    def test_each_retriever_holds_exactly_what_meets_the_filter(
        self, index: IndexUnderTest, fields: dict[str, tuple[str, ...]]
    ) -> None:
        documents = corpus()
        index.write(*documents)
        right = {one.id for document in documents for one in document if meets(one, fields)}
        with index.opened() as engine:
            found = engine.run(question("firm report", depth=1000, **fields))
            assert set(ids(engine, found.lexical)) == right
            assert set(ids(engine, found.dense)) == right
            assert {name for name, _ in found.documents} == {name.split("/")[0] for name in right}
            assert {one.id for _, one in engine.find(Filters(fields))} == right

    def test_a_filter_finds_what_lies_below_the_depth_of_all(self, index: IndexUnderTest) -> None:
        index.write(*corpus())
        with index.opened() as engine:
            found = engine.run(question("firm report A item 3", depth=5, document_id="C"))
            assert {one.document_id for one in found.lexical} == {"C"}
            assert {one.document_id for one in found.dense} == {"C"}
        assert len(found.lexical) == len(found.dense) == 5

    @pytest.mark.parametrize(
        "fields",
        [{}, {"document_id": ("B",)}, {"topic": ("aml",)}, {"id": ("A/3", "C/1")}],
        ids=str,
    )
    def test_what_is_excluded_is_in_no_retriever(
        self, index: IndexUnderTest, fields: dict[str, tuple[str, ...]]
    ) -> None:
        documents = corpus()
        index.write(*documents)
        excluded = {"regime": ("civil",), "year": ("2001", "2004", "1999")}
        right = {
            one.id
            for document in documents
            for one in document
            if meets(one, {name: v for name, v in fields.items() if name != "id"})
            and one.id in fields.get("id", (one.id,))
            and not any(meets(one, {name: values}) for name, values in excluded.items())
        }
        filters = Filters(fields, excluded)
        with index.opened() as engine:
            found = engine.run(replace(question("firm report", depth=1000), filters=filters))
            assert set(ids(engine, found.lexical)) == right
            assert set(ids(engine, found.dense)) == right
            assert {name for name, _ in found.documents} == {name.split("/")[0] for name in right}
            assert {one.id for _, one in engine.find(filters)} == right

    def test_the_values_of_a_field_are_listed(self, index: IndexUnderTest) -> None:
        index.write(*corpus())
        with index.opened() as engine:
            assert engine.values("topic") == tuple(sorted(TOPICS))
            assert engine.values("colour") == ()

    def test_a_filter_changes_no_score(self, index: IndexUnderTest) -> None:
        index.write(*corpus())
        with index.opened() as engine:
            free = engine.run(question("report item 7", depth=1000))
            bound = engine.run(question("report item 7", depth=1000, kind="guidance"))
        for retriever in ("lexical", "dense"):
            before = {one.key: one.score for one in getattr(free, retriever)}
            for one in getattr(bound, retriever):
                assert one.score == pytest.approx(before[one.key], abs=1e-5)

    @pytest.mark.parametrize("step", ["run", "find"])
    def test_an_unknown_field_is_refused_and_the_known_ones_named(
        self, index: IndexUnderTest, step: str
    ) -> None:
        index.write(*corpus())
        asked = question("firm", colour="red")
        with index.opened() as engine, pytest.raises(InputError, match=r"'colour'.*topic") as error:
            engine.run(asked) if step == "run" else engine.find(asked.filters)
        assert "\n" not in str(error.value)

    def test_lookup_fields_hold_in_every_retriever_too(self, index: IndexUnderTest) -> None:
        index.write(*corpus())
        with index.opened() as engine:
            found = engine.run(question("firm report", id=("A/3", "B/7")))
            assert set(ids(engine, found.dense)) == {"A/3", "B/7"}
            assert set(ids(engine, found.lexical)) == {"A/3", "B/7"}

    def test_the_description_names_the_fields(self, index: IndexUnderTest) -> None:
        described = index.write(*corpus())
        assert described.filter_fields == ("document_id", "kind", "regime", "topic", "year")
