"""Texts, IDs and values that were written to break something."""

from __future__ import annotations

import pytest
from engine_samples import IndexUnderTest, ids, passage, question

from search.records import Filters

HOSTILE = [
    'it\'s "quoted" \\ and `ticked`',
    "'; DROP TABLE passage; --",
    "a\x1fb\x1ec\x1d",
    "nul\x00inside",
    "line\nbreak\ttab\r",
    "* OR text:[a TO z]~2^9 +must -not (x",
    '{"query": {"match_all": {}}}',
    "<script>alert(1)</script>&amp;",
    "%_?[]{}/../../etc/passwd",
    "قانون 資本要件 \u202ereversed\u202c 👩‍⚖️ é é",
    " leading and trailing ",
    "None",
]
UNICODE = {
    "Straße über Öl": "straße",
    "La société doit déclarer": "société",
    "資本要件規則": "資本",
    "Οι κανόνες ισχύουν": "κανόνες",
    "قانون مكافحة غسل": "غسل",
}


class HostileContent:
    """Whatever goes in comes out, and means only itself."""

    @pytest.mark.parametrize("value", HOSTILE, ids=ascii)
    def test_ids_documents_and_values_are_only_text(
        self, index: IndexUnderTest, value: str
    ) -> None:
        marked = passage(
            value, value, f"{value} marked", id=value, parent=value, metadata={"tag": value}
        )
        plain = passage("plain", "1", "marked", metadata={"tag": "plain"})
        index.write([marked], [plain])
        assert index.content() == [marked, plain]
        with index.opened() as engine:
            for field in ("id", "parent", "document_id", "tag"):
                found = engine.find(Filters({field: (value,)}))
                assert [one.id for _, one in found] == [value], field
            for field in ("document_id", "tag"):
                results = engine.run(question("marked", **{field: value}))
                assert ids(engine, results.lexical) == ids(engine, results.dense) == [value], field
                assert [name for name, _ in results.documents] == [value]
            assert len(engine.run(question(f"{value} marked")).lexical) == 2

    def test_a_value_longer_than_any_term_still_filters(self, index: IndexUnderTest) -> None:
        long = "x" * 70_000
        index.write(
            [passage("A", "1", "fund", metadata={"note": long})],
            [passage("B", "1", "fund", metadata={"note": "short"})],
        )
        with index.opened() as engine:
            found = engine.run(question("fund", note=long))
            assert ids(engine, found.dense) == ["A/1"]
            assert ids(engine, found.lexical) == ["A/1"]

    @pytest.mark.parametrize("text", UNICODE)
    def test_any_script_is_searchable(self, index: IndexUnderTest, text: str) -> None:
        index.write([passage("A", "1", text), passage("A", "2", "something else")])
        with index.opened() as engine:
            retriever = engine.run(question(UNICODE[text])).lexical
            assert ids(engine, retriever) == ["A/1"]
        assert index.content()[0].text == text

    def test_a_passage_of_24_000_words(self, index: IndexUnderTest) -> None:
        long = " ".join(f"word{i}" for i in range(23_999)) + " needle"
        index.write([passage("A", "1", long), passage("A", "2", "a short needle")])
        with index.opened() as engine:
            retriever = engine.run(question("needle")).lexical
            assert ids(engine, retriever) == ["A/2", "A/1"]
            assert ids(engine, engine.run(question("word23998")).lexical) == ["A/1"]
        assert index.content()[0].text == long
