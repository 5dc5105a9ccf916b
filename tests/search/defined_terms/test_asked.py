"""Questions that ask what a term means."""

from __future__ import annotations

import pytest
from effort import no_runaway

from search.provisions.documents.names import DocumentNames
from search.provisions.terms.asked import asked_meaning
from search.records import DocumentSummary

NAMES = DocumentNames(
    [
        DocumentSummary("COND", "Conduct Rulebook (COND)", 9, {}),
        DocumentSummary("AMLR", "Anti-Money Laundering Rulebook (AMLR)", 9, {}),
    ]
)


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is Client Money?", "Client Money"),
        ("what's a fund", "fund"),
        ("What are Client Investments?", "Client Investments"),
        ("Who is the Controller?", "Controller"),
        ("What does “Client Money” mean?", "Client Money"),
        ("What does the term Client Money mean in these Rules?", "Client Money"),
        ("What is meant by Capital Resources?", "Capital Resources"),
        ("What is the definition of Client Money?", "Client Money"),
        ("Please tell me the meaning of the term 'Client Money'.", "Client Money"),
        ("How is Controller defined in the Glossary?", "Controller"),
        ("Where are Controllers defined?", "Controllers"),
        ("How does AMLR define Relevant Person?", "Relevant Person"),
        ("Define Beneficial Owner", "Beneficial Owner"),
        ('Could you define the word "Offer"?', "Offer"),
        ("client money definition", "client money"),
        ("Relevant Person definition AMLR", "Relevant Person"),
        ("What is Client Money under the Rules of COND?", "Client Money"),
        ("Who counts as a deployer of machines?", "deployer"),
        ("What qualifies as Client Money?", "Client Money"),
        ("Who is considered to be a Controller?", "Controller"),
        ("Was ist ein Auslagerungsvertrag?", "Auslagerungsvertrag"),
        ("Wer gilt als wirtschaftlich Berechtigter?", "wirtschaftlich Berechtigter"),
    ],
)
def test_the_term_is_read_out_of_the_question(question: str, term: str) -> None:
    assert term in asked_meaning(question, NAMES).terms


@pytest.mark.parametrize(
    "question",
    [
        "Must a firm segregate Client Money?",
        "What records must a firm keep of Client Money, and how is Client Money defined?",
        "Under what conditions is a firm exempt, and how does this relate to the definition of an "
        "Insider?",
        "What criteria must the Regulator consider, and what does a Spot Commodity mean for it?",
        "COND 6.2.2",
        "define",
        "What is?",
    ],
)
def test_other_questions_ask_no_meaning(question: str) -> None:
    assert asked_meaning(question, NAMES).terms == ()


def test_what_is_asked_of_a_thing_is_no_term() -> None:
    assert asked_meaning("What is the capital of Peru?", NAMES).terms == ("capital of Peru",)


def test_the_longest_reading_comes_first() -> None:
    assert asked_meaning("What are the Listing Rules?", NAMES).terms == ("Listing Rules", "Listing")


def test_the_documents_that_the_question_names_are_told() -> None:
    assert asked_meaning("What is Client Money in COND?", NAMES).document_ids == ("COND",)


@pytest.mark.parametrize("piece", ["what is ", ".", "define ", "“", "how does ", " meaning", "a "])
def test_long_questions_cost_no_time(piece: str) -> None:
    with no_runaway():
        asked_meaning(piece * 50_000, NAMES)
        asked_meaning(f"what is {piece * 15}", NAMES)
