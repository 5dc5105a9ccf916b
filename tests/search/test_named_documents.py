"""Questions that ask a document by its name: under the GDPR, in our gifts policy, one against
another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from candidates_by_name import name_of, retriever

import search
from search.engines.protocol import RetrievalResults
from search.lookup.question import analyse
from search.provisions.documents.asked import absent_laws, asked_documents, without_names
from search.provisions.documents.names import DocumentNames
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.ranking.fusion import fuse
from search.ranking.profile_file import load_profile
from search.ranking.steps.ordering.named_documents import LED_ALONE, documents_first
from search.records import DocumentSummary

NAMES = DocumentNames([
    DocumentSummary("gifts", "Gifts and Hospitality Policy", 1),
    DocumentSummary("gdpr", "Regulation (EU) 2016/679", 1),
    DocumentSummary("gwg", "Gesetz über Geldwäsche", 1, {"jurabk": "GwG 2017"}),
    DocumentSummary("genr", "General Rulebook (GENR)", 1),
    DocumentSummary("complaints", "Complaints Policy", 1),
])  # fmt: skip


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("What is the maximum fine under the GDPR?", ["gdpr"]),
        ("Wie hoch ist das Bußgeld nach der DSGVO?", ["gdpr"]),
        ("What is the maximum fine under 2016/679?", ["gdpr"]),
        ("Wie lange muss man laut GwG Unterlagen aufbewahren?", ["gwg"]),
        ("May I keep a bottle of wine under our hospitality policy?", ["gifts"]),
        ("What does the General Rulebook say about complaints?", ["genr"]),
        ("Compare the complaints policy and the General Rulebook on files", ["complaints", "genr"]),
        ("Does our gifts policy differ from the GDPR on records?", ["gifts", "gdpr"]),
    ],
)
def test_a_document_that_is_to_answer_is_known_by_its_name(
    question: str, documents: list[str]
) -> None:
    assert asked_documents(question, NAMES) == tuple((one,) for one in documents)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is the maximum fine under the GDPR?", "What is the maximum fine ?"),
        ("Under the GDPR, who is told of a leak?", "who is told of a leak?"),
        ("What does our gifts policy say about wine?", "What does say about wine?"),
        ("Wie lange muss man laut GwG Unterlagen aufbewahren?",
         "Wie lange muss man Unterlagen aufbewahren?"),
        ("Who must approve the complaints policy?", "Who must approve the complaints policy?"),
        ("What says the GDPR?", "What says the GDPR?"),
        ("Fines under the GDPR", "Fines under the GDPR"),
    ],
)  # fmt: skip
def test_the_subject_is_what_is_asked_of_the_documents(question: str, subject: str) -> None:
    assert without_names(question, NAMES) == subject


def test_only_the_encoder_reads_the_subject_of_one_document(rulebook: search.Index) -> None:
    pipeline, profile = rulebook.pipeline, load_profile("default")
    bare = "Who is told of a serious failure"
    asked = pipeline.prepare(f"{bare} under AMLR?", profile, None)
    subject = pipeline.prepare(f"{bare}?", profile, None)
    assert asked.request.vector is not None
    assert subject.request.vector is not None
    assert asked.request.vector @ subject.request.vector > 0.99
    assert "amlr" in asked.request.tokens
    two = "Compare AMLR and COND on a serious failure"
    assert pipeline.prepare(two, profile, None).question.asked == (two,)


@pytest.mark.parametrize(
    ("question", "laws"),
    [
        ("What is the capital charge under the Solvency II Directive?", ("Solvency II Directive",)),
        ("Must we report it under the Companies Act 2014?", ("Companies Act 2014",)),
        ("What does the law say about fees in the Financial Services and Markets Act 2000?",
         ("Financial Services and Markets Act 2000",)),
        ("What is the fine under the General Rulebook?", ()),
        ("What must we do under the Act?", ()),
        ("What is the fine under the Irish General Rulebook?", ()),
        ("What does the Sarbanes-Oxley Act require of auditors?", ("Sarbanes-Oxley Act",)),
        ("Who wrote the Criminal Code?", ()),
        ("May I accept wine under the Hospitality Code?", ()),
    ],
)  # fmt: skip
def test_a_law_that_is_asked_and_not_loaded_is_noted(question: str, laws: tuple[str, ...]) -> None:
    assert absent_laws(question, NAMES) == laws
    notes = analyse(question, None, NAMES).notes
    assert [law for law in laws if not any(note.endswith(law) for note in notes)] == []


@pytest.mark.parametrize(
    "question",
    [
        "Who must approve the complaints policy?",
        "What must a complaints policy say?",
        "How often is GDPR training due?",
        "How long are files kept?",
    ],
)
def test_a_document_that_is_the_subject_may_be_answered_by_others(question: str) -> None:
    assert asked_documents(question, NAMES) == ()


def test_a_number_or_a_filter_says_more_than_the_name(rulebook: search.Index) -> None:
    prepare, profile = rulebook.pipeline.prepare, load_profile("default")
    asked = "Which records must be kept under AMLR?"
    assert prepare(asked, profile, None).question.documents == (("AMLR",),)
    assert prepare(asked, profile, {"document": "COND"}).question.documents == ()
    assert prepare("What is kept under AMLR 4.1?", profile, None).question.documents == ()


@pytest.fixture
def fused() -> FusedCandidates:
    """Seven candidates; c, d, e and f are of a second document, and g is of a third."""
    profile = replace(load_profile("even"), document_weight=0.0)
    scores = {"a": 10, "b": 9, "c": 8, "d": 4, "e": 3, "f": 2, "g": 0}
    made = fuse(RetrievalResults(lexical=retriever(**scores)), profile, alpha=1.0)
    ids = [{"a": "A", "b": "A", "g": "G"}.get(name_of(key), "C") for key in made.keys.tolist()]
    made.document_ids[:] = ids
    return made


def order(ranking: Ranking, fused: FusedCandidates) -> list[tuple[str, float]]:
    keys = fused.keys[ranking.places].tolist()
    return [
        (name_of(key), round(score, 3))
        for key, score in zip(keys, ranking.scores.tolist(), strict=True)
    ]


def test_the_best_passages_of_the_document_come_first(fused: FusedCandidates) -> None:
    ranking, silent = documents_first(fused, Ranking.of(fused), [("C",)])
    assert LED_ALONE == 7
    assert order(ranking, fused) == [
        ("c", 1.0), ("a", 0.5), ("d", 0.5), ("b", 0.45), ("e", 0.375), ("f", 0.25), ("g", 0.0),
    ]  # fmt: skip
    assert silent == []


def test_two_documents_share_the_first_places(fused: FusedCandidates) -> None:
    ranking, silent = documents_first(fused, Ranking.of(fused), [("A",), ("C",)])
    assert [name for name, _ in order(ranking, fused)[:3]] == ["a", "c", "b"]
    assert silent == []


def test_a_document_without_a_near_passage_changes_nothing(fused: FusedCandidates) -> None:
    ranking, silent = documents_first(fused, Ranking.of(fused), [("G",)])
    assert order(ranking, fused) == order(Ranking.of(fused), fused)
    assert silent == [("G",)]


def test_passages_that_the_retrievers_of_all_documents_miss_are_found(
    rulebook: search.Index,
) -> None:
    few = replace(load_profile("even"), depth=3)
    free = rulebook.search("Who approves a new outsourcing?", 10, profile=few)
    named = rulebook.search("Who approves a new outsourcing under AMLR?", 10, profile=few)
    assert "AMLR" not in {hit.passage.document_id for hit in free.hits}
    assert named.hits[0].passage.document_id == "AMLR"
    assert not named.trace.notes
