"""Provisions of different documents that set different values, and those that only look alike."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hits import make_hit
from scripted_modes import ScriptedLLM

from generation import Answer, answer, answer_text
from generation.verify.checks.contradictions import conflicts_in
from search.records import Hit

QUESTION = "How long must loan files be kept?"


def of_documents(*texts: str, scores: Sequence[float] = (0.99, 0.7)) -> list[Hit]:
    """One hit of a document of its own for each text."""
    return [
        make_hit(text, "1.1", score, rank, document_id=str(rank), document_title=f"Book {rank}")
        for rank, (text, score) in enumerate(zip(texts, scores, strict=True), start=1)
    ]


def values(question: str, one: str, other: str) -> list[str]:
    """Return the values that two texts set differently."""
    hits = of_documents(one, other)
    found = conflicts_in(hits[:1], hits[1:], question)
    return [side.value for conflict in found for side in conflict]


@pytest.mark.parametrize(
    ("question", "one", "other", "expected"),
    [
        (
            QUESTION,
            "Loan files must be kept for five years.",
            "A firm must keep loan files for at least 6 (six) years.",
            ["five years", "6 (six) years"],
        ),
        (
            QUESTION,
            "Loan files must be kept for 30 days.",
            "Loan files must be kept for ten weeks after the loan ends.",
            ["30 days", "ten weeks"],
        ),
        (
            "Wie lange sind Kreditakten aufzubewahren?",
            "Kreditakten sind zehn Jahre aufzubewahren.",
            "Kreditakten sind sechs Jahre aufzubewahren.",
            ["zehn Jahre", "sechs Jahre"],
        ),
        (
            "Wie lang ist die Kündigungsfrist?",
            "Die Kündigungsfrist beträgt 3 Monate.",
            "Die Kündigungsfrist beträgt sechs Monate.",
            ["3 Monate", "sechs Monate"],
        ),
        (
            "Wie lang ist die Leihfrist für Bücher?",
            "Die Leihfrist für Bücher beträgt vier Wochen.",
            "Die Leihfrist für Bücher beträgt drei Wochen.",
            ["vier Wochen", "drei Wochen"],
        ),
        (
            "Combien de temps les dossiers de prêt doivent-ils être conservés ?",
            "Les dossiers de prêt doivent être conservés cinq ans.",
            "Les dossiers de prêt doivent être conservés trois ans.",
            ["cinq ans", "trois ans"],
        ),
        (
            "How often are loan files read?",
            "The clerk must: (a) read the loan files weekly; and (b) sign.",
            "The loan files must be read by the clerk every month.",
            ["weekly", "every month"],
        ),
        (
            "How often must loan files be read?",
            "Loan files must be read quarterly.",
            "Loan files must be read every two months.",
            ["quarterly", "every two months"],
        ),
        (
            "What is the fee for loan files?",
            "The fee for loan files is $1,000.",
            "The fee for loan files is USD 900.",
            ["$1,000", "USD 900"],
        ),
        (
            "What is the fee for loan files?",
            "The fee for loan files is USD 5,000.",
            "The fee for loan files is EUR 6,000.",
            ["USD 5,000", "EUR 6,000"],
        ),
        (
            "How often must loan files be read?",
            "Loan files must be read quarterly.",
            "Loan files must be read twice a year.",
            ["quarterly", "twice a year"],
        ),
        (
            "How often must loan files be read?",
            "The clerk must read loan files once a month.",
            "Loan files must be read two times per year.",
            ["once a month", "two times per year"],
        ),
        (
            "Wann sind Akten zu prüfen?",
            "Akten sind innerhalb von 14 Tagen zu prüfen.",
            "Akten sind innerhalb eines Monats zu prüfen.",
            ["14 Tagen", "eines Monats"],
        ),
        (
            "Must clerks sign loan files?",
            "Clerks must sign loan files.",
            "Clerks need not sign loan files.",
            [],
        ),
        (
            "Which share of loan files is read?",
            "The clerk must read 10% of the loan files.",
            "The clerk must read 12 per cent of the loan files.",
            ["10%", "12 per cent"],
        ),
        (
            "How many clerks sign loan files?",
            "Loan files must be signed by two clerks.",
            "Loan files must be signed by three clerks.",
            ["two clerks", "three clerks"],
        ),
        (
            "When are loan files sent?",
            "Loan files must be sent by 31 March each year.",
            "Loan files must be sent by 30 June each year.",
            ["31 March", "30 June"],
        ),
        (
            "May clerks sell loan files?",
            "Clerks must not sell loan files.",
            "Clerks may sell loan files.",
            [],
        ),
        ("How long are loan files kept?", "Loan files must be kept for five years.",
         "The branch keeps loan files for 12 months, then they are shredded.",
         ["five years", "12 months"]),
        ("How many loan files may a clerk read?", "Clerks must not read more than nine loan files.",
         "A clerk may read up to ten loan files.", ["nine loan", "ten loan"]),
        ("Are loan files allowed at home?", "Loan files are prohibited at home.",
         "Clerks can keep loan files at home.", []),
        ("Do clerks need a card?", "A clerk must wear a card.", "Clerks do not need a card.", []),
        ("Is a card required for the archive?", "A card is required for the archive.",
         "No card is required for the archive.", []),
        ("Sind Hunde im Archiv erlaubt?", "Hunde sind im Archiv nicht erlaubt.",
         "Hunde sind im Archiv erlaubt.", []),
        ("Combien de temps faut-il conserver les dossiers ?",
         "Les dossiers doivent être conservés cinq ans.",
         "Les dossiers sont conservés trois ans.", ["cinq ans", "trois ans"]),
        ("Les chiens sont-ils admis ?", "Les chiens sont interdits dans les bureaux.",
         "Les chiens sont admis dans les bureaux.", []),
    ],
)  # fmt: skip
def test_other_values_for_one_matter_differ(
    question: str, one: str, other: str, expected: list[str]
) -> None:
    expected = expected or [one, other]  # what they demand
    assert values(question, one, other) == expected
    assert values(question, other, one) == expected[::-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Loan files must be kept for one year.", "Loan files must be kept for 12 months."),
        ("Loan files must be read quarterly.", "Loan files must be read four times a year."),
        ("Loan files must be read half-yearly.", "Loan files must be read twice a year."),
        ("Loan files sind innerhalb von 30 Tagen zu read.",
         "Loan files sind innerhalb eines Monats zu read."),
        ("Loan files of farms must be kept for two years.",
         "Loan files of shops must be kept for five years."),
        ("Loan files must be kept for two years.", "Large loan files must be kept for five years."),
        ("Loan files must be kept for two years.",
         "Loan files must be kept for two years, or five years for farms."),
        ("Loan files must be kept for two years.",
         "Loan files must be kept for five years if a court asks."),
        ("Loan files must be kept for at least two years.",
         "Loan files must be kept for at most nine years."),
        ("Loan files must be kept for two years.", "Loan files must be burnt within five years."),
        ("The clerk must keep loan files for two years.",
         "The auditor must keep loan files for five years."),
        ("The annual loan file must be kept.", "The quarterly loan file must be kept."),
        ("Loan files must be kept above EUR 1,000.", "Loan files must be kept above EUR 1 000."),
        ("Loan files must be kept above EUR 10,000.", "Loan files must be kept above EUR 10.000."),
        ("Loan files under section 4 must be kept.", "Loan files under section 5 must be kept."),
        ("Clerks may sell loan files.", "Clerks must not sell loan files if a client objects."),
        ("Loan files must not be kept at night.", "Loan files may be kept at night with a lamp."),
        ("Loan files must be kept for at least two years.", "Loan files are kept for five years."),
        ("Loan files must not be kept for more than five years.",
         "Loan files may be kept for two years."),
        ("Loan files must be kept two days before the sale.",
         "Loan files must be kept five days after the sale."),
        ("Loan files over 9 pages must be kept.",
         "Loan files of 9 pages or less need not be kept."),
        ("Visitors must not keep loan files.", "Clerks may keep loan files."),
        ("Loan files kept for clerks are prohibited.", "Loan files kept for judges are allowed."),
        ("Loan files must be kept as Rule 8.2 must.", "Loan files must be kept as Rule 3.3 must."),
    ],
)  # fmt: skip
def test_what_only_looks_alike_does_not_differ(one: str, other: str) -> None:
    assert not values(QUESTION, one, other)
    assert not values(QUESTION, other, one)


def test_rules_of_one_document_do_not_differ() -> None:
    texts = ("Loan files must be kept for two years.", "Loan files must be kept for five years.")
    one, other = (make_hit(text, f"1.{n}", rank=n) for n, text in enumerate(texts, start=1))
    assert not conflicts_in([one], [other], QUESTION)


def asked(mode: str = "extractive", llm: ScriptedLLM | None = None) -> Answer:
    hits = of_documents(
        "Loan files must be kept for five years.", "Loan files must be kept for six years."
    )
    return answer(QUESTION, hits, mode=mode, llm=llm)


def test_a_provision_beyond_the_drop_is_quoted_beside_the_one_that_it_contradicts() -> None:
    made = asked()
    assert made.text == (
        "These provisions differ:\n"
        "- **Book 1 1.1**: “five years” [1]\n"
        "- **Book 2 1.1**: “six years” [2]\n\n"
        "**Book 1 1.1**: “Loan files must be kept for five years.” [1]\n\n"
        "**Book 2 1.1**: “Loan files must be kept for six years.” [2]"
    )
    assert made.verification is not None
    assert made.verification.score == 1
    assert [one.kind for one in made.warnings] == ["differing"]
    assert "Take care" not in answer_text(made)
    assert made.filter.to_json()["kept"] == 1


def test_a_model_reads_both_and_a_warning_says_that_they_differ() -> None:
    llm = ScriptedLLM(lambda _: "Loan files must be kept for five years [1].")
    made = asked("rag", llm)
    assert "six years" in str(llm.asked[0])
    assert [(one.kind, one.message) for one in made.warnings] == [
        (
            "differing",
            "These provisions differ: Book 1 1.1: “five years”; Book 2 1.1: “six years”.",
        )
    ]
