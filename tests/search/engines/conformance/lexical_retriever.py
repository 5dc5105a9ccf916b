"""The lexical retriever is Lucene's BM25 over the tokens it is given."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine_samples import IndexUnderTest, ids, passage, put, question, texts

from conformance.bm25_reference import BM25
from search.candidates import NO_CANDIDATES
from search.records import Filters
from search.text.analyzer import tokens
from search.text.word_parts import word_parts

RULES = (
    "A Firm must report a suspicious transaction to the regulator.",
    "A report must be in writing; a report by telephone is not a report.",
    "The regulator may publish a transaction report, a transaction log and a transaction summary "
    "of every Firm that trades in bonds, shares, units or derivatives on a recognised exchange.",
    "",
    "Guidance",
    "Suspicious behaviour.",
)
"""One of them empty: it may not shift the average length of the others."""

PAST = {"status_in_time": "past"}
"""Of a passage that is not in force."""

WRITTEN = (
    ("A sub\u00adma\u00adrine dives.", "submarine"),
    ("A bal\u200bloon flies.", "balloon"),
    ("Within ten days.Zeppelins land.", "zeppelins"),
    ("Note:parachutes are packed.", "parachutes"),
    ("A fee of 15 000 is due.", "15,000"),
    ("A fee of 16,000 is due.", "16\u00a0000"),
    ("A fee of 17000 is due.", "17 000"),
    ("A U.S.C. section applies.", "USC"),
    ("A UK person pays.", "U.K."),
)
"""What a passage has, and how a question writes a word of it."""


def assert_scores_like(
    reference: BM25, words: list[str], retriever: list[tuple[int, float]]
) -> None:
    """Compare order and scores."""
    expected = reference.ranking(words)
    assert [place for place, _ in retriever] == [place for place, _ in expected]
    assert [score for _, score in retriever] == pytest.approx(
        [score for _, score in expected], rel=1e-4
    )


class LexicalRetriever:
    """Runs the lexical retriever against the reference."""

    @pytest.mark.parametrize(
        "asked",
        [
            "suspicious transaction",
            "transaction report regulator",
            "report report report suspicious",
            "guidance",
            "Firm's reports",
        ],
    )
    def test_scores_are_lucenes_bm25(self, index: IndexUnderTest, asked: str) -> None:
        index.write(texts("A", *RULES[:3]), texts("B", *RULES[3:]))
        with index.opened() as engine:
            retriever = engine.run(question(asked)).lexical
            order = [passage.id for passage in index.content()]
            found = [order.index(name) for name in ids(engine, retriever)]
        reference = BM25([tokens(rule) for rule in RULES])
        pairs = [(place, one.score) for place, one in zip(found, retriever, strict=True)]
        assert_scores_like(reference, tokens(asked), pairs)

    @pytest.mark.parametrize("asked", ["suspicious transaction", "report report regulator firm"])
    def test_words_weigh_what_they_weigh_without_what_is_excluded(
        self, index: IndexUnderTest, asked: str
    ) -> None:
        gone = [f"A repealed rule on a suspicious report, no. {number}." for number in range(9)]
        documents = [
            [
                *texts(name, *rules),
                *(passage(name, f"old.{at}", text, metadata=PAST) for at, text in enumerate(gone)),
            ]
            for name, rules in (("A", RULES[:3]), ("B", RULES[3:]))
        ]
        index.write(*documents, [passage("C", "1", gone[0], metadata=PAST)])
        excluded = Filters({}, {"status_in_time": ("past",)})
        request = replace(question(asked), filters=excluded, documents=True)
        with index.opened() as engine:
            found = engine.run(request)
            order = [one.id for one in index.content() if not one.metadata]
            pairs = [
                (order.index(name), one.score)
                for name, one in zip(ids(engine, found.lexical), found.lexical, strict=True)
            ]
        assert_scores_like(BM25([tokens(rule) for rule in RULES]), tokens(asked), pairs)
        wholes = BM25([tokens(" ".join(rules)) for rules in (RULES[:3], RULES[3:])])
        ranking = [place for place, _ in wholes.ranking(tokens(asked))]
        assert [name for name, _ in found.documents] == ["AB"[place] for place in ranking]

    def test_a_word_counts_each_time_and_by_its_weight(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund", "broker"))
        with index.opened() as engine:
            once = engine.run(question("fund")).lexical[0].score
            thrice = engine.run(question("fund fund fund")).lexical[0].score
            weights = {"fund": 0.4}
            less = replace(question("fund fund"), weights=weights)
            found = engine.run(less)
            whole = engine.run(replace(less, weights={})).documents
        assert thrice == pytest.approx(3 * once)
        assert found.lexical[0].score == pytest.approx(0.8 * once)
        assert found.documents[0][1] == pytest.approx(0.4 * whole[0][1])

    def test_ties_are_in_index_order(self, index: IndexUnderTest) -> None:
        index.write(texts("B", *["Deleted."] * 30), texts("A", *["Deleted."] * 30))
        with index.opened() as engine:
            retriever = engine.run(question("deleted", depth=40)).lexical
            assert ids(engine, retriever) == [passage.id for passage in index.content()][:40]

    def test_depth_beyond_the_corpus_gives_all_that_match(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund", "fund manager", "broker"))
        with index.opened() as engine:
            assert ids(engine, engine.run(question("fund", depth=1000)).lexical) == ["A/1", "A/2"]

    def test_a_word_is_found_however_it_is_written_and_shown_as_it_is(
        self, index: IndexUnderTest
    ) -> None:
        index.write(texts("A", *(written for written, _ in WRITTEN)))
        with index.opened() as engine:
            for place, (written, asked) in enumerate(WRITTEN, start=1):
                found = engine.run(question(asked)).lexical
                assert ids(engine, found) == [f"A/{place}"], asked
                assert engine.passages([found[0].key])[0].text == written

    def test_parts_of_words_are_found_in_passages_and_documents(
        self, index: IndexUnderTest
    ) -> None:
        with index.begin() as load:
            put(load, texts("A", "STIMMRECHT DER AKTIE", "VORSTAND"))
            put(load, texts("B", "Stimmrecht"))
            load.commit()
        with index.begin() as load:  # A and B are carried over
            put(load, texts("C", "VORSTANDSMITGLIED"))
            load.commit()
        asked = replace(question("fund"), tokens=tuple(word_parts("Stimmen Vorstands")))
        held = [word_parts(text) for text in ("STIMMRECHT DER AKTIE", "VORSTAND", "")]
        held.append(word_parts("VORSTANDSMITGLIED"))
        with index.opened() as engine:
            found = engine.run(asked)
            assert set(ids(engine, found.lexical)) == {"A/1", "A/2", "C/1"}
            assert {document for document, _ in found.documents} == {"A", "C"}
            shown = engine.passages([one.key for one in found.lexical])
        assert not any("\u01c2" in passage.text for passage in shown)
        words = ("STIMMRECHT DER AKTIE", "VORSTAND", "Stimmrecht", "VORSTANDSMITGLIED")
        reference = BM25([[*tokens(one), *parts] for one, parts in zip(words, held, strict=True)])
        expected = [score for _, score in reference.ranking(list(asked.tokens))]
        assert [one.score for one in found.lexical] == pytest.approx(expected, rel=1e-4)

    def test_words_that_nobody_wrote_find_nothing(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund"))
        with index.opened() as engine:
            assert engine.run(question("xylophone")).lexical == NO_CANDIDATES

    def test_no_words_no_retriever(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund"))
        with index.opened() as engine:
            found = engine.run(question("the of and"))
        assert (found.lexical, found.documents) == (NO_CANDIDATES, ())
        assert found.dense

    def test_ten_thousand_words_are_a_question(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "fund manager", "broker"))
        many = " ".join(f"word{i}" for i in range(10_000))
        with index.opened() as engine:
            retriever = engine.run(question(f"fund {many}")).lexical
            assert ids(engine, retriever) == ["A/1"]

    def test_context_is_searched_with_the_text_and_not_shown(self, index: IndexUnderTest) -> None:
        with index.begin() as load:
            put(load, texts("A", *RULES[:2]), context="Whistleblowing > Reports by telephone")
            put(load, texts("B", *RULES[2:3]))
            load.commit()
        with index.begin() as load:  # A and B are carried over
            put(load, texts("C", "Nothing of the kind."))
            load.commit()
        with index.opened() as engine:
            found = engine.run(question("whistleblowing telephone"))
            assert ids(engine, found.lexical) == ["A/2", "A/1"]
            assert [document for document, _ in found.documents] == ["A"]
            shown = engine.passages([one.key for one in found.lexical])
        assert [passage.text for passage in shown] == [RULES[1], RULES[0]]
