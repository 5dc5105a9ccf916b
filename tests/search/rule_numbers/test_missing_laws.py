"""Questions that name a law or a number that the index does not have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sample import record

import generation
from search.index import Index
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import find_rule_numbers
from search.records import DocumentSummary

QUESTIONS = Path(__file__).resolve().parents[3] / "benchmarks/questions/absent_laws.jsonl"
FLOOR = 0.7
LAW = "Lamp Keeping Act 2019 (LKA)"
NUMBERS = ("5", "5.(1)", "5.(2)", "5.(1).(a)", "5.(1).(b)", "5A", "6", "6.(1)", "242", "30101")


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return DocumentNames([DocumentSummary("LKA", LAW, 1)])


@pytest.fixture
def lamps(index_of: Callable[..., Index]) -> Index:
    law = {"DocumentID": "LKA", "DocumentTitle": LAW}
    return index_of(*(record(number, "A keeper lights a lamp.", **law) for number in NUMBERS))


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("Companies Act 2006, s 5", "Companies Act 2006"),
        ("Companies Act s. 5", "Companies Act"),
        ("companies act 2006 s 5", "companies act 2006"),
        ("s 5, Companies Act 2006", "Companies Act 2006"),
        ("What does Companies Act 2006, s 5 require?", "Companies Act 2006"),
        ("Under the Companies Act 2006, what does section 5 say?", "Companies Act 2006"),
        ("Companies Act, 2013 (India), section 5", "Companies Act, 2013 (India)"),
        ("Section 5 of the Bank Act (Canada)", "Bank Act (Canada)"),
        ("GDPR, Article 5(1)", "GDPR"),
        ("18 USC § 242", "18 USC"),
        ("Pub. L. 111-203 section 5", "Pub. L. 111-203"),
        ("Solvency II Article 5", "Solvency II"),
        ("FSMA 2000 s 5", "FSMA 2000"),
        ("reg 5 MLR 2017", "MLR 2017"),
        ("LKA 2006 s 5", "LKA 2006"),
        ("18 USC 5", "18 USC"),
        ("TFEU 101", "TFEU"),
        ("Charter Article 5", "Charter"),
        ("§ 5 des Kreditwesengesetzes", "Kreditwesengesetzes"),
        ("article 5 du Code civil", "Code civil"),
        ("Lei n.º 83/2017, artigo 5", "Lei n.o 83/2017"),
        ("artikel 5 Wft", "Wft"),
        ("Lamp Keeping Act 2006, s 5", "Lamp Keeping Act 2006"),
        ("Street Lamp Keeping Act 2019, s 5", "Street Lamp Keeping Act 2019"),
        ("D.C. Code § 34-1507", "D.C. Code"),
        ("§ 34-1507 of the D.C. Code", "D.C. Code"),
        ("O.C.G.A. § 5-101", "O.C.G.A."),
        ("Cal. Civ. Code § 5", "Cal. Civ. Code"),
        ("N.Y. Gen. Bus. Law § 5", "N.Y. Gen. Bus. Law"),
        ("section 5 of the N.Y. Gen. Bus. Law", "N.Y. Gen. Bus. Law"),
        ("CR-03 clause 5.2", "CR-03"),
        ("FIN-POL-7, section 5", "FIN-POL-7"),
        ("clause 5.2 of CR-03", "CR-03"),
        ("What does CR-03 clause 5 say?", "CR-03"),
        ("Policy CR-03, clause 5.2", "Policy CR-03"),
        ("section 5 of the Lamp Keeping Act of Ontario", "Lamp Keeping Act of Ontario"),
        ("section 5 of the Ontario Lamp Keeping Act", "Ontario Lamp Keeping Act"),
        ("What does clause 5 of the CR-03 policy say?", "CR-03"),
        ("R.S.C. 1985, c. E-4, s. 34.1", "R.S.C. 1985, c. E-4"),
        ("17 C.F.R. § 160.3", "17 C.F.R."),
        ("23 NYCRR 500.17", "23 NYCRR"),
        ("Cap. 486 section 26", "Cap. 486"),
        ("section 26 of Cap. 486", "Cap. 486"),
        ("SR 235.1 Art. 19", "SR 235.1"),
        ("S.I. No. 336/2011, regulation 5", "S.I. No. 336/2011"),
        ("Guidance Note 7, paragraph 3", "Guidance Note 7"),
        ("MaRisk 4.3.2", "MaRisk"),
        ("section 4 of our Data Breach Policy", "Data Breach Policy"),
    ],
)
def test_a_law_beside_a_number_is_a_law_that_is_not_there(
    names: DocumentNames, question: str, law: str
) -> None:
    found = find_rule_numbers(question, names)
    assert [rule.unknown_document for rule in found] == [law]


@pytest.mark.parametrize("question", ["HGB §§ 5, 6", "sections 5 and 6 of the Companies Act 2006"])
def test_all_of_a_list_is_of_the_law_that_is_not_there(names: DocumentNames, question: str) -> None:
    found = find_rule_numbers(question, names)
    assert len(found) == 2
    assert all(rule.unknown_document for rule in found)


@pytest.mark.parametrize(
    "question",
    [
        "Lamp Keeping Act 2019, s 5",
        "section 5 of the Lamp Keeping Act",
        "LKA s 5",
        "LKA 2019 s 5",
        "USD 2000, section 5",
        "Explain Lamp Keeping Act 2019 section 5",
        "for a SPV, section 5",
        "section 5 of the Act",
        "L. K. Act § 5",
        "Lamp Keep. Act § 5",
        "U.K. section 5",
        "We are a Bank. Section 5 says what?",
        "What does section 5 of our policy say?",
        "under Rules A5.3.16",
    ],
)
def test_a_law_that_is_there_or_no_law_is_not_reported(names: DocumentNames, question: str) -> None:
    (rule,) = find_rule_numbers(question, names)
    assert rule.unknown_document is None


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("§ 5-1507", ["5-1507"]),
        ("section 5-2-393", ["5-2-393"]),
        ("Article 22-2", ["22-2"]),
        ("§ 9-102(a)", ["9-102/a"]),
        ("§ 12-102", ["12-102"]),
        ("section 143-215", ["143-215"]),
        ("sections 12-102", ["12", "102"]),
        ("articles 132-1 et 132-2", ["132-1", "132-2"]),
        ("sections 5-6", ["5", "6"]),
        ("sections 112-15", ["112", "15"]),
    ],
)
def test_a_number_with_a_hyphen_is_one_unless_it_may_be_a_range(
    names: DocumentNames, question: str, keys: list[str]
) -> None:
    found = find_rule_numbers(question, names)
    assert [rule.keys[0].split(" ")[-1] for rule in found] == keys


@pytest.mark.parametrize("number", ["§ 5-1507", "Section 5-1507", "5-1507"])
def test_a_number_with_a_hyphen_is_found_however_the_source_writes_it(
    index_of: Callable[..., Index], number: str
) -> None:
    index = index_of(record("5", "A keeper."), record(number, "A lamp."))
    for asked in ("§ 5-1507", "section 5-1507"):
        found = [hit.passage_id for hit in index.search(asked, 5).hits if hit.score == 1.0]
        assert found == [number]


def test_a_section_of_a_series_is_found_in_the_part_that_has_it(
    index_of: Callable[..., Index],
) -> None:
    index = index_of(record("PART 240.§ 240.1", "A lamp."), record("160.3", "A keeper."))
    assert index.search("17 CFR 240.1", 5).hits[0].passage_id == "PART 240.§ 240.1"
    absent = index.search("17 CFR 160.3", 5)
    assert absent.hits[0].score < FLOOR
    assert absent.trace.notes == ("160.3: no document of the index is named 17 CFR",)


def test_a_policy_that_is_not_there_is_noted_without_a_number(lamps: Index) -> None:
    found = lamps.search("What does our Data Breach Policy say about lamps that a keeper lights?")
    assert "no document of the index is named Data Breach Policy" in found.trace.notes


def test_a_number_that_is_not_there_is_not_cut_at_its_hyphen(lamps: Index) -> None:
    found = lamps.search("§ 5-1507", 10)
    assert all(hit.score < FLOOR for hit in found.hits)
    assert found.trace.unfound


@pytest.mark.parametrize(
    "question", ["CR-03 clause 5", "Companies Act 2006, s 5", "18 USC § 242", "HGB §§ 5, 6"]
)
def test_no_other_law_is_shown_as_the_one_that_is_not_there(lamps: Index, question: str) -> None:
    found = lamps.search(question, 10)
    assert {rule.finding for rule in found.trace.numbers} == {"no-such-document"}
    assert found.trace.unfound
    assert all(hit.score < FLOOR for hit in found.hits)


def test_a_law_that_is_named_in_passing_is_noted_and_refuses_nothing(lamps: Index) -> None:
    found = lamps.search(
        "How does a keeper light a lamp at night in a small town near the busy harbour, where "
        "section 5 of the Companies Act 2006 binds the owner of its only ship?"
    )
    assert "no document of the index is named Companies Act 2006" in " ".join(found.trace.notes)
    assert (found.trace.unfound, found.hits[0].score >= FLOOR) == ((), True)


def test_an_answer_says_that_the_law_is_not_there_and_quotes_no_other(lamps: Index) -> None:
    question = "Companies Act 2006, s 5"
    found = lamps.search(question, 10)
    context = generation.AnswerContext(unfound=found.trace.unfound)
    answer = generation.answer(question, found.hits, context=context)
    assert answer.refused_by == "no-such-rule"
    assert answer.citations == ()
    assert "Companies Act 2006" in answer.text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "around"),
    [("section 5(9) LKA", "5"), ("LKA 5(1)(d)", "5.(1)"), ("section 5(9)", "5")],
)
def test_what_is_around_a_number_that_does_not_exist_is_offered_as_that(
    lamps: Index, question: str, around: str
) -> None:
    found = lamps.search(question, 10)
    (rule,) = found.trace.numbers
    assert (rule.finding, rule.found, rule.around) == ("no-such-number", (), (f"{LAW} {around}",))
    assert found.hits[0].passage_id == around
    assert found.hits[0].score < FLOOR


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("section 5 A LKA", ["5A"]),
        ("section 5-A LKA", ["5A"]),
        ("section 5 a", ["5A"]),
        ("5 a § LKA", ["5A"]),
        ("§ 5 a", ["5A"]),
        ("6 §", ["6"]),
        ("§ 5 Abs. 2", ["5.(2)"]),
        ("section 30101", ["30101"]),
        ("§ 30101", ["30101"]),
        ("section 5(1) or 5(2)", ["5.(1)", "5.(2)"]),
        ("section 5(1)(a) or (2)", ["5.(1).(a)", "5.(2)"]),
        ("section 5(1)(a) or (b)", ["5.(1).(a)", "5.(1).(b)"]),
        ("section 5(1), 5(2) and 6(1)", ["5.(1)", "5.(2)", "6.(1)"]),
        ("sections 5 & 6", ["5", "6"]),
        ("sections 5/6 LKA", ["5", "6"]),
    ],
)
def test_numbers_that_exist_come_first(lamps: Index, question: str, first: list[str]) -> None:
    hits = lamps.search(question, 10).hits
    assert [hit.passage_id for hit in hits if hit.score == 1.0] == first


def test_the_laws_of_the_benchmark_are_all_seen(names: DocumentNames) -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    develop = [row["question"] for row in rows if row["half"] == "develop"]
    seen = [find_rule_numbers(question, names) for question in develop]
    missed = [
        question
        for question, rules in zip(develop, seen, strict=True)
        if not rules or not all(rule.unknown_document for rule in rules)
    ]
    assert len(develop) == 70
    assert missed == []


@pytest.mark.parametrize(
    ("text", "key"),
    [("Розділ VII", "part vii"), ("глава II", "chapter ii"), ("Κεφάλαιο 3", "chapter 3")],
)
def test_a_division_may_be_named_in_another_script(
    names: DocumentNames, text: str, key: str
) -> None:
    (rule,) = find_rule_numbers(text, names)
    assert rule.keys[0] == key


@pytest.mark.parametrize("question", ["LaKG, § 5", "LaKG § 5"])
def test_a_code_with_small_letters_names_its_document(question: str) -> None:
    names = DocumentNames([DocumentSummary("D", "Lampengesetz (LaKG)", 1)])
    (rule,) = find_rule_numbers(question, names)
    assert rule.document_ids == ("D",)


def test_another_title_of_a_code_that_is_there_is_not_there() -> None:
    names = DocumentNames([DocumentSummary("D", "United States Code, Title 1", 1)])
    (rule,) = find_rule_numbers("42 U.S.C. § 1320d", names)
    assert rule.unknown_document == "42 U.S.C."
