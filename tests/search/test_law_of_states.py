"""Questions that name a state, put to the law of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import search
from search.models.encoders.asking import encode_mean, encode_questions
from search.provisions.documents.by_state import law_asked
from search.provisions.documents.names import DocumentNames
from search.ranking.candidate_set import Ranking
from search.ranking.profile_file import load_profile
from search.ranking.steps.ordering.law_of_states import BESIDE, ELSEWHERE, GUESSED, law_there_first
from search.records import DocumentSummary

IRISH, FEDERAL, ONTARIO, UNION, OWN = "irish", "federal", "ontario", "union", "own"
LAWS = {IRISH: "IE", FEDERAL: "CA", ONTARIO: "CA-ON", UNION: "European Union"}
NAMES = DocumentNames(
    [DocumentSummary(key, key, 1, {"jurisdiction": law}) for key, law in LAWS.items()]
    + [DocumentSummary(OWN, "Retention Policy", 1)]
)


@pytest.mark.parametrize(
    ("question", "own", "beside", "elsewhere"),
    [
        ("May an Irish employer ask for it?", [IRISH], [UNION], [FEDERAL, ONTARIO]),
        ("Can a clinic in Ontario do that?", [ONTARIO], [FEDERAL], [IRISH, UNION]),
        ("Do Canadian rules want a note?", [FEDERAL], [ONTARIO], [IRISH, UNION]),
        ("A box was lost in Toronto. Who is told?", [FEDERAL, ONTARIO], [], [IRISH, UNION]),
        ("May a customer in Lyon ask for it?", [UNION], [], [IRISH, FEDERAL, ONTARIO]),
        ("Can a customer in Spain have it changed?", [UNION], [], [IRISH, FEDERAL, ONTARIO]),
        ("Must it be kept in the EU?", [UNION], [IRISH], [FEDERAL, ONTARIO]),
    ],
)
def test_the_law_of_a_state_is_its_own_and_what_else_is_law_there(
    question: str, own: list[str], beside: list[str], elsewhere: list[str]
) -> None:
    law = law_asked(question, NAMES)
    assert law is not None
    assert [law.own, law.beside, law.elsewhere] == [{*own}, {*beside}, {*elsewhere}]


@pytest.mark.parametrize(
    "question", ["How long are files kept?", "And in Japan?", "What is a Chinese wall?"]
)
def test_a_question_without_a_state_of_the_index_asks_for_any_law(question: str) -> None:
    assert law_asked(question, NAMES) is None


def test_an_index_of_one_state_is_not_read_for_states() -> None:
    names = DocumentNames([DocumentSummary(key, key, 1, {"jurisdiction": "IE"}) for key in "ab"])
    assert law_asked("May an Irish employer ask for it?", names) is None


@pytest.mark.parametrize(
    ("question", "subject", "is_named"),
    [
        ("May an Irish employer ask for it?", "May an employer ask for it?", False),
        ("In Ireland, may we ask for it?", "may we ask for it?", False),
        ("What does Canada's privacy law ask for?", "What does privacy law ask for?", True),
        ("Is that enough under Irish law?", "Is that enough under law?", True),
        ("Is that enough in Ireland?", "Is that enough ?", False),
        ("May Canadians have it changed?", "May have it changed?", False),
        ("Is that enough in Toronto, too?", "Is that enough too?", False),
    ],
)
def test_the_name_of_a_state_is_no_part_of_the_subject(
    question: str, subject: str, is_named: bool
) -> None:
    law = law_asked(question, NAMES)
    assert law is not None
    assert (law.subject, law.is_named) == (subject, is_named)


def records_of(law: str, *texts: str, **metadata: str) -> list[dict[str, Any]]:
    return [
        {"ID": f"{law}-{n}", "DocumentID": law, "PassageID": str(n), "Passage": text, **metadata}
        for n, text in enumerate(texts, start=1)
    ]


@pytest.fixture
def laws(index_of: Callable[..., search.Index]) -> search.Index:
    """Four laws on the same subject, of which three say themselves whose they are, and a policy."""
    kept = "Records of customers must be kept for {} years after the account is closed."
    return index_of(
        *records_of("irish-act", kept.format("six"), "The Minister for Finance in Britain may act.",
                    "The law of Britain is spared.", country="ie"),
        *records_of("canadian-act", kept.format("five"), jurisdiction="CA"),
        *records_of("japanese-act", kept.format("seven"), "Acts of the Diet of Japan are Acts.",
                    "Japan has a Commission.", jurisdiction="Japan"),
        *records_of("brazilian-act", kept.format("eight"), "Brazil has a Congress.",
                    "This Act is law in Brazil."),
        *records_of("policy", "We keep your records for nine years.",
                    "Our offices in Ireland open.", DocumentTitle="Retention Policy"),
    )  # fmt: skip


def test_whose_law_a_document_is_is_seen_when_it_is_loaded(laws: search.Index) -> None:
    found = {
        one.document_id: (
            one.metadata.get("jurisdiction"), one.metadata.get("probable_jurisdiction"),
        )
        for one in laws.documents()
    }  # fmt: skip
    assert found == {
        "irish-act": ("IE", None), "canadian-act": ("CA", None), "japanese-act": ("JP", None),
        "brazilian-act": (None, "BR"), "policy": (None, None),
    }  # fmt: skip


@pytest.mark.parametrize("asked", ["IE", "ie", "Ireland", "IRL", "irl"])
def test_a_filter_finds_the_law_of_a_state_in_every_form(laws: search.Index, asked: str) -> None:
    hits = laws.search("records", filters={"jurisdiction": asked}).hits
    assert {hit.document_id for hit in hits} == {"irish-act"}


def test_a_guess_is_not_filtered_as_a_fact(laws: search.Index) -> None:
    assert not laws.search("records", filters={"jurisdiction": "BR"}).hits
    hits = laws.search("records", filters={"probable_jurisdiction": "Brazil"}).hits
    assert {hit.document_id for hit in hits} == {"brazilian-act"}


@dataclass
class Fused:
    """Candidates of which only the documents matter."""

    documents: list[str]

    def are_of(self, documents: frozenset[str], places: np.ndarray) -> np.ndarray:
        return np.array([self.documents[place] in documents for place in places])


@pytest.mark.parametrize(
    ("question", "factors"),
    [
        ("May an Irish bank do so?", {"ie": 1.0, "uk": ELSEWHERE, "br": GUESSED, "own": BESIDE}),
        ("May our Irish bank do so?", {"ie": 1.0, "uk": ELSEWHERE, "br": GUESSED, "own": 1.0}),
        ("May a Brazilian bank do so?", {"ie": ELSEWHERE, "br": 1.0, "own": GUESSED}),
    ],
)
def test_a_guess_of_whose_law_it_is_moves_a_passage_by_little(
    question: str, factors: dict[str, float]
) -> None:
    said = {"ie": "jurisdiction", "uk": "jurisdiction", "br": "probable_jurisdiction"}
    guessed = [DocumentSummary(key, key, 1, {field: key}) for key, field in said.items()]
    law = law_asked(question, DocumentNames([*guessed, DocumentSummary("own", "Gifts", 1)]))
    assert law is not None
    documents = ["ie", "uk", "br", "own"]
    ranking = Ranking(np.arange(4), np.ones(4), {})
    found = law_there_first(Fused(documents), ranking, law)  # type: ignore[arg-type]
    moved = {documents[place]: score for place, score in zip(*found[:2], strict=True)}
    assert {key: moved[key] for key in factors} == factors


def test_a_policy_is_compared_with_law_that_says_itself_whose_it_is(laws: search.Index) -> None:
    question = "How long does our retention policy keep records, and how long does {} law?"
    prepare, profile = laws.pipeline.prepare, load_profile("default")
    for state, documents in [("Irish", ["policy", "irish-act"]), ("Brazilian", ["policy"])]:
        found = prepare(question.format(state), profile, None).question.documents
        assert found == tuple((one,) for one in documents)


@pytest.mark.parametrize(
    ("asked", "first"),
    [("Irish", "irish-act"), ("Canadian", "canadian-act"), ("Japanese", "japanese-act")],
)
def test_the_law_of_the_state_that_is_named_comes_first(
    laws: search.Index, asked: str, first: str
) -> None:
    question = f"How long must a {asked} bank keep the records of customers?"
    result = laws.search(question)
    assert result.hits[0].id == f"{first}-1"
    (state,) = result.trace.law_of
    assert f"law of      {state}; that of other states comes after" in result.trace.describe()
    other = next(
        hit
        for hit in result.hits
        if hit.id.endswith("act-1") and hit.document_id not in {first, "brazilian-act"}
    )
    assert other.score < 0.5 * result.hits[0].score
    behind = laws.passages({"id": other.id})[0]
    assert any(
        f"the question names {state}" in one for one in laws.why(question, behind.id, k=1).reasons
    )


def test_own_policies_keep_their_scores_in_questions_about_us(laws: search.Index) -> None:
    def share(question: str) -> float:
        scores = {hit.id: hit.score for hit in laws.search(question).hits}
        return scores["policy-1"] / scores["irish-act-1"]

    of_theirs = share("How long must an Irish bank keep records?")
    assert share("How long must our Irish bank keep records?") > 1.4 * of_theirs


def test_the_encoder_reads_the_question_with_and_without_the_state(laws: search.Index) -> None:
    question, bare = (
        "How long must an Irish bank keep records?",
        "How long must an bank keep records?",
    )
    pipeline = laws.pipeline
    prepared = pipeline.prepare(question, load_profile("default"), None)
    assert prepared.question.asked == (question, bare)
    both = encode_questions(prepared.encoder, [question, bare])
    assert prepared.request.vector is not None
    assert np.allclose(prepared.request.vector, encode_mean(prepared.encoder, [question, bare]))
    assert np.allclose(both @ prepared.request.vector, float(both[0] @ prepared.request.vector))


def test_own_policy_and_the_law_of_a_state_share_the_first_places(laws: search.Index) -> None:
    policy = "How long does our retention policy keep records"
    prepare, profile = laws.pipeline.prepare, load_profile("default")
    assert prepare(f"{policy}?", profile, None).question.documents == (("policy",),)
    both = f"{policy}, and how long does Japanese banking law?"
    assert prepare(both, profile, None).question.documents == (("policy",), ("japanese-act",))
    first = laws.search(both, k=2).hits
    assert {hit.document_id for hit in first} == {"policy", "japanese-act"}
