"""The document retriever is BM25 where each document is one long text."""

from __future__ import annotations

from dataclasses import replace

from engine_samples import IndexUnderTest, question, texts

from conformance.bm25_reference import BM25
from conformance.lexical_retriever import assert_scores_like
from search.text.analyzer import tokens

BOOKS = {
    "GEN": ("General rules.", "A fund must register.", "A broker must register."),
    "FUNDS": ("Fund rules.", "A fund has a manager.", "", "The fund manager reports."),
    "AML": ("Launder no money.",),
}


class DocumentRetriever:
    """Runs the document retriever."""

    def test_scores_are_bm25_of_whole_documents(self, index: IndexUnderTest) -> None:
        index.write(*[texts(name, *rules) for name, rules in BOOKS.items()])
        with index.opened() as engine:
            retriever = engine.run(question("fund manager rules")).documents
        names = list(BOOKS)
        whole = BM25([tokens(" ".join(rules)) for rules in BOOKS.values()])
        pairs = [(names.index(name), score) for name, score in retriever]
        assert_scores_like(whole, tokens("fund manager rules"), pairs)

    def test_documents_without_words_do_not_count(self, index: IndexUnderTest) -> None:
        rules = ("A fund must register.", "", "A broker pays fees.", "The of and.")
        index.write(*[texts(f"D{place}", rule) for place, rule in enumerate(rules)])
        with index.opened() as engine:
            retriever = engine.run(question("fund fees")).documents
        pairs = [(int(name[1:]), score) for name, score in retriever]
        assert_scores_like(BM25([tokens(rule) for rule in rules]), tokens("fund fees"), pairs)

    def test_only_on_request(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund"))
        with index.opened() as engine:
            assert engine.run(replace(question("fund"), documents=False)).documents == ()

    def test_filters_leave_only_documents_with_such_passages(self, index: IndexUnderTest) -> None:
        index.write(*[texts(name, *rules) for name, rules in BOOKS.items()])
        with index.opened() as engine:
            all_of_them = dict(engine.run(question("fund rules money")).documents)
            retriever = engine.run(
                question("fund rules money", document_id=("GEN", "AML"))
            ).documents
        assert {name for name, _ in retriever} == {"GEN", "AML"}
        assert all(score == all_of_them[name] for name, score in retriever)

    def test_ties_are_in_index_order(self, index: IndexUnderTest) -> None:
        index.write(*[texts(name, "same words") for name in "CAB"])
        with index.opened() as engine:
            retriever = engine.run(question("same")).documents
        assert [name for name, _ in retriever] == ["C", "A", "B"]
