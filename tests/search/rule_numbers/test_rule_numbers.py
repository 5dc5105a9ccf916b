"""Rules that questions name by number, in the forms people use."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from effort import no_runaway

from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.keys import in_both_figures
from search.provisions.grammar.questions import RuleNumber, find_rule_numbers
from search.provisions.numbering import lookup_keys
from search.records import DocumentSummary

QUESTIONS = Path(__file__).resolve().parents[3] / "benchmarks/questions/rule_numbers.jsonl"
TITLES = {
    "cobs": "COBS_VER15.150823",
    "gen": "GEN_VER08.181223",
    "pru": "PRU_VER13.181223",
    "funds": "FUNDS_VER08.040723",
    "fsmr": "FSMR (Consolidated_December 2023)",
    "virtual": "Guidance - Virtual Asset Activities in ADGM (VER05.181223)",
    "notes": "UAE_CRS_Guidance_Notes_17 June 2020 (002)",
}


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in TITLES.items()])


RULEBOOK = {
    "AMLR": "Anti-Money Laundering Rulebook (AMLR)",
    "COND": "Conduct Rulebook (COND)",
    "GLOS": "Glossary (GLOS)",
    "GOVN": "Governance and Prudential Rulebook (GOVN)",
}


@pytest.fixture(scope="module")
def rulebook() -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in RULEBOOK.items()])


def told(rules: tuple[RuleNumber, ...]) -> list[tuple[str, ...]]:
    """Return (first key, *documents) of each rule."""
    return [(rule.keys[0], *rule.document_ids) for rule in rules]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("COBS 3.4.2(b)", [("3/4/2/b", "cobs")]),
        ("cobs 3.4.2 b", [("3/4/2/b", "cobs")]),
        ("COBS3.4.2", [("3/4/2", "cobs")]),
        ("cobs3.4.2", [("3/4/2", "cobs")]),
        ("cobs-3.4.2(b)", [("3/4/2/b", "cobs")]),
        ("software version2.1.4", []),
        ("Rule 3.5.8 of COBS", [("3/5/8", "cobs")]),
        ("COBS r.3.4.2", [("3/4/2", "cobs")]),
        ("what does GEN 8.3 say?", [("8/3", "gen")]),
        ("section 5(1) FSMR", [("section 5/1", "fsmr")]),
        ("s. 5(1)", [("section 5/1",)]),
        ("§ 5(1) FSMR", [("section 5/1", "fsmr")]),
        ("§ 240.10b-5(b)", [("240/10b-5/b",)]),
        ("Kaj sledi iz 3.a člena?", [("article 3a",)]),
        ("Ką sako 12 straipsnio (2)?", [("article 12/2",)]),
        ("Mit mond a 12. cikk?", [("article 12",)]),
        ("17 CFR 240.10b5-1(a)(1)", [("240/10b5-1/a/1",)]),
        ("17 C.F.R. § 240.0-1", [("240/0-1",)]),
        ("fraud under Rule 10b-5", [("10b-5",)]),
        ("section 240.12g3-2(b)", [("240/12g3-2/b",)]),
        ("12 CFR 1026.43(c)", [("1026/43/c",)]),
        ("Rules 10b-5 and 10b-6(a)", [("10b-5",), ("10b-6/a",)]),
        ("sections 240.12g3-2, 240.10b-6", [("240/12g3-2",), ("240/10b-6",)]),
        ("§§ 240.10b-5 through 240.10b-9", [("240/10b-5",), ("240/10b-9",)]),
        ("Rule 10b-5 and 10b-6 plans", [("10b-5",)]),
        ("sections 5a-7", [("section 5a",)]),
        ("Article 92(1)(a)", [("article 92/1/a",)]),
        ("paragraph 45 of the virtual assets guidance", [("*/45", "virtual")]),
        ("GEN App 2 A2.1.2", [("app2/a2/1/2", "gen")]),
        ("Guidance 3 to COBS 2.3.1", [("2/3/1/guidance/3", "cobs")]),
        ("COBS 2.3.1 Guidance 3", [("2/3/1/guidance/3", "cobs")]),
        ("paragraph 2 of the Guidance to COBS 23.5.1", [("23/5/1/guidance/2", "cobs")]),
        ("chapter 3 of PRU", [("chapter 3", "pru")]),
        ("Chapters 2 and 3 of PRU", [("chapter 2", "pru"), ("chapter 3", "pru")]),
        ("Schedule 1 Part 2 Chapter 3 FSMR", [("schedule 1/part 2/chapter 3", "fsmr")]),
        ("paragraph 89 of Schedule 1 to FSMR", [("schedule 1/89", "fsmr")]),
        ("section 4.1 of the funds rulebook", [("4/1", "funds")]),
        ("paragraph 2 of Schedule 1 to the fund rules", [("schedule 1/2", "funds")]),
        ("paragraph 89 of the First Schedule to FSMR", [("schedule 1/89", "fsmr")]),
        ("FUNDS PART 5.13.3.9.Guidance.3", [("part 5/13/3/9/guidance/3", "funds")]),
        ("Section VIII D(9)(b) of the CRS guidance notes", [("section viii/d/9/b", "notes")]),
        ("Annex III, point 5(a)", [("annex iii/5/a",)]),
        ("Rule\u200e 3.4.2 of COBS", [("3/4/2", "cobs")]),
        ("3.4.2.(b)", [("3/4/2/b",)]),
        ("28)", [("28",)]),
        ("Schedule 1.Part 3 .99A. (1)", [("schedule 1/part 3/99a/1",)]),
        ("APP 4.Guidance.Incorrect_pricing.26", [("app4/guidance/incorrect pricing/26",)]),
    ],
)
def test_forms_people_use(
    names: DocumentNames, question: str, expected: list[tuple[str, ...]]
) -> None:
    assert told(find_rule_numbers(question, names)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("PRU 4.9.16 and 4.9.17", [("4/9/16", "pru"), ("4/9/17", "pru")]),
        ("4.9.16 and 4.9.17 of PRU", [("4/9/16", "pru"), ("4/9/17", "pru")]),
        ("COBS 3.4.2 and GEN 8.3", [("3/4/2", "cobs"), ("8/3", "gen")]),
        ("Rule 3.5.8 of COBS and 8.3 of GEN", [("3/5/8", "cobs"), ("8/3", "gen")]),
        ("sections 5 and 6 of FSMR", [("section 5", "fsmr"), ("section 6", "fsmr")]),
        ("Rules 9.3.1(a) and (b) of COBS", [("9/3/1/a", "cobs"), ("9/3/1/b", "cobs")]),
        (
            "Under COBS, does 3.4.2 bind us, compared with GEN 8.3?",
            [("3/4/2", "cobs"), ("8/3", "gen")],
        ),
        (
            "section 92 of FSMR, rule 3.4.2 of COBS and rule 8.3 of GEN",
            [("section 92", "fsmr"), ("3/4/2", "cobs"), ("8/3", "gen")],
        ),
        ("section 92 FSMR, Rule 3.7.1 COBS", [("section 92", "fsmr"), ("3/7/1", "cobs")]),
        (
            "4.3.1 COBS, 3.7.1 GEN, 4.4.1 PRU",
            [("4/3/1", "cobs"), ("3/7/1", "gen"), ("4/4/1", "pru")],
        ),
        (
            "Rules 4.3.1 and 4.3.2 of PRU and 4.4.1 and 4.4.2 of GEN",
            [("4/3/1", "pru"), ("4/3/2", "pru"), ("4/4/1", "gen"), ("4/4/2", "gen")],
        ),
        (
            "Rules 6.1.1 and 6.1.2 GEN and Rules 3.7.1 and 3.7.2 COBS",
            [("6/1/1", "gen"), ("6/1/2", "gen"), ("3/7/1", "cobs"), ("3/7/2", "cobs")],
        ),
        ("section 5 of FSMR and section 6", [("section 5", "fsmr"), ("section 6", "fsmr")]),
        (
            "Part 16 and section 193 of the FSMR",
            [("part 16", "fsmr"), ("section 193", "fsmr")],
        ),
        ("section 21 or 22 of FSMR", [("section 21", "fsmr"), ("section 22", "fsmr")]),
        (
            "FSMR section 21, 22 or 23",
            [("section 21", "fsmr"), ("section 22", "fsmr"), ("section 23", "fsmr")],
        ),
        ("section 5 or 6 persons of FSMR", [("section 5", "fsmr")]),
        ("Paragraphs (a) and (b) of COBS 3.4.2", [("3/4/2/a", "cobs"), ("3/4/2/b", "cobs")]),
        (
            "paragraph 91 or 92 of Schedule 1 FSMR",
            [("schedule 1/91", "fsmr"), ("schedule 1/92", "fsmr")],
        ),
    ],
)
def test_each_number_gets_its_own_document(
    names: DocumentNames, question: str, expected: list[tuple[str, ...]]
) -> None:
    assert told(find_rule_numbers(question, names)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "a capital of USD 10.5 million within 3 days in 2023",
        "2.5% of assets, 10,000 shares, 1.5 times the price",
        "version 1.2.3 of the software and v2.3.4",
        "notice on 12.05.2023 or 12.05.23",
        "ISO 27001, 24/7, one of 3 clients, Basel III and Level 2",
        "Category 3A firms under PRU with Tier 1 capital",
        "FSMR 2015 and the Data Protection Regulations 2021",
        "a firm's 3 funds and its 2 rules",
        "the host 10.0.0.1",
        "with a Part 4 permission",
        "GEN 5 years",
        "",
        "?!.",
    ],
)
def test_other_numbers_are_none(names: DocumentNames, question: str) -> None:
    assert find_rule_numbers(question, names) == ()


def test_the_number_itself_comes_before_what_encloses_it(names: DocumentNames) -> None:
    (rule,) = find_rule_numbers("COBS 3.4.2(1)(a)", names)
    assert rule.keys == ("3/4/2/1/a", "3/4/2/1", "3/4/2")
    assert rule.text == "3.4.2(1)(a)"


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("AMLR 4.2.4R", ("4/2/4r", "4/2/4")),
        ("AMLR 4.2.4 R", ("4/2/4r", "4/2/4")),
        ("AMLR 4.2.4E", ("4/2/4e", "4/2/4")),
        ("AMLR 4.2.4AR", ("4/2/4ar", "4/2/4a")),
        ("AMLR 4.2.4R(1)", ("4/2/4r/1", "4/2/4r", "4/2/4/1", "4/2/4")),
        ("AMLR 4.2.4G", ("4/2/4g", "4/2/4/guidance", "4/2/4/guidance/1", "4/2/4")),
        ("COND 6.2.4b", ("6/2/4b", "6/2/4/b", "6/2/4")),
        ("COND 6.2.4g", ("6/2/4g", "6/2/4/g", "6/2/4")),
        ("COND 3.5.11A", ("3/5/11a",)),
        ("AMLR 4.2.4 Guidance", ("4/2/4/guidance", "4/2/4/guidance/1", "4/2/4")),
        ("Guidance to AMLR 4.2.4", ("4/2/4/guidance", "4/2/4/guidance/1", "4/2/4")),
    ],
)
def test_a_letter_after_a_number_may_say_what_it_is(
    rulebook: DocumentNames, question: str, keys: tuple[str, ...]
) -> None:
    (rule,) = find_rule_numbers(question, rulebook)
    assert rule.keys == keys


def test_a_letter_does_not_make_a_number_part_of_another(rulebook: DocumentNames) -> None:
    found = find_rule_numbers("6.2.2 and 6.2.2a of COND", rulebook)
    assert told(found) == [("6/2/2", "COND"), ("6/2/2a", "COND")]
    found = find_rule_numbers("6.2.2 and 6.2.2a(1) of COND", rulebook)
    assert told(found) == [("6/2/2", "COND"), ("6/2/2a/1", "COND")]


@pytest.mark.parametrize(
    "question",
    [
        "COND-6.2.2",
        "COND_6.2.2",
        "COND 6.2.2ff",
        "COND 6.2.2 ff.",
        "COND 6. 2. 2",
        "COND 6 . 2 . 2",
        "COND 6.2.2. 15 days",
    ],
)
def test_typed_forms_of_one_number(rulebook: DocumentNames, question: str) -> None:
    assert told(find_rule_numbers(question, rulebook)) == [("6/2/2", "COND")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Rules 6.2.2 to 6.2.4 of COND", ["6/2/2", "6/2/3", "6/2/4"]),
        ("COND 6.2.2 through 6.2.4", ["6/2/2", "6/2/3", "6/2/4"]),
        ("6.2.2–6.2.4 of COND", ["6/2/2", "6/2/3", "6/2/4"]),
        ("COND 6.2.2-6.2.4", ["6/2/2", "6/2/3", "6/2/4"]),
        ("COND 6.2.2-4", ["6/2/2", "6/2/3", "6/2/4"]),
        ("cond6.2.2–4", ["6/2/2", "6/2/3", "6/2/4"]),
        ("COND 6.2.4-2", ["6/2/4"]),
        ("COND 6.2.2—6.2.4", ["6/2/2", "6/2/3", "6/2/4"]),
        ("COND 6.2.2/6.2.3", ["6/2/2", "6/2/3"]),
        ("6.2.2/6.2.3 of COND", ["6/2/2", "6/2/3"]),
        ("sections 5 to 7 of COND", ["section 5", "section 6", "section 7"]),
        ("COND 6.2.2 to 6.3.4", ["6/2/2", "6/3/4"]),
        ("COND 6.2.2 to 6.2.34", ["6/2/2", "6/2/34"]),
        ("COND 6.2.4 to 6.2.2", ["6/2/4", "6/2/2"]),
        ("COND 6.2.2a to 6.2.2c", ["6/2/2a", "6/2/2b", "6/2/2c"]),
        ("COND 6.2.4(a)-(c)", ["6/2/4/a", "6/2/4/b", "6/2/4/c"]),
        ("COND 6.2.4 (1) – (3)", ["6/2/4/1", "6/2/4/2", "6/2/4/3"]),
        ("COND 6.2.4(1)/(2)", ["6/2/4/1", "6/2/4/2"]),
        ("COND Chapters 1 to 3, 5 and 6", [f"chapter {n}" for n in (1, 2, 3, 5, 6)]),
        ("Parts 2, 3 and 4 of COND", ["part 2", "part 3", "part 4"]),
        ("Appendices 1 and 2 of COND", ["app1", "app2"]),
        ("Annexes I to III of COND", ["annex i", "annex ii", "annex iii"]),
    ],
)
def test_a_range_names_its_members(
    rulebook: DocumentNames, question: str, expected: list[str]
) -> None:
    assert told(find_rule_numbers(question, rulebook)) == [(key, "COND") for key in expected]


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("COND 6.2.4 paragraph (b)", ["6/2/4/b"]),
        ("Rule 6.2.4, paragraphs (a) and (b), of COND", ["6/2/4/a", "6/2/4/b"]),
        ("section 92, subsection 2, of COND", ["section 92/2"]),
        ("section 92 paragraph 2 COND", ["section 92/2"]),
        ("COND Rule 6.4.1, paragraphs (2) and (3) of Rule 7.1", ["6/4/1", "7/1/2", "7/1/3"]),
    ],
)
def test_a_paragraph_named_after_its_rule_is_inside_it(
    rulebook: DocumentNames, question: str, keys: list[str]
) -> None:
    assert [rule.keys[0] for rule in find_rule_numbers(question, rulebook)] == keys


def test_a_number_in_an_appendix_may_leave_out_its_letter(names: DocumentNames) -> None:
    (rule,) = find_rule_numbers("App2.5 of PRU", names)
    assert rule.keys[:2] == ("app2/5", "app2/a2/5")


def test_a_chapter_of_a_part_is_no_rule_of_its_number(names: DocumentNames) -> None:
    (chapter,) = find_rule_numbers("Chapter 3 of Part 4 of FSMR", names)
    assert "3" not in chapter.keys


@pytest.mark.parametrize(
    ("number", "key"),
    [
        ("COBS_VER15.150823 3.4.2.(b)", "3/4/2/b"),
        ("FSMR (Consolidated_December 2023) Part 8.92.(2)", "part 8/92/2"),
        ("Guidance - Virtual Asset Activities in ADGM (VER05.181223) 54)", "54"),
        ("GEN_VER08.181223 5.", "5"),
    ],
)
@pytest.mark.parametrize("form", ["{}", "What does {} say?"])
def test_citations_of_rirag_itself_are_understood(
    names: DocumentNames, number: str, key: str, form: str
) -> None:
    (rule,) = find_rule_numbers(form.format(number), names)
    assert (key in rule.keys, rule.certain, len(rule.document_ids)) == (True, True, 1)


@pytest.mark.parametrize("question", ["6.2.2 - 6.2.4", "6.2.2–6.2.4", "6.2.2 to 6.2.4"])
def test_a_range_alone_is_no_number_of_a_source(names: DocumentNames, question: str) -> None:
    assert told(find_rule_numbers(question, names)) == [("6/2/2",), ("6/2/3",), ("6/2/4",)]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("4.2.1 of the AML Rulebook", "AMLR"),
        ("AML rulebook 4.2.1", "AMLR"),
        ("the AML rules 4.2.1", "AMLR"),
        ("Governance Rulebook 4.2.1", "GOVN"),
        ("prudential rulebook 4.2.1", "GOVN"),
        ("What does Rule 4.2.1 of the Prudential Rulebook say?", "GOVN"),
    ],
)
def test_half_a_title_is_enough_beside_a_number(
    rulebook: DocumentNames, question: str, document: str
) -> None:
    (rule,) = find_rule_numbers(question, rulebook)
    assert (rule.document_ids, rule.certain) == ((document,), True)


def test_an_unknown_rulebook_is_told_on_either_side(rulebook: DocumentNames) -> None:
    for question in ("XYZ Rulebook 4.2.1", "4.2.1 of the XYZ Rulebook"):
        (rule,) = find_rule_numbers(question, rulebook)
        assert rule.unknown_document == "XYZ Rulebook"
    (rule,) = find_rule_numbers("4.2.1 of the Mining Governance Rulebook", rulebook)
    assert rule.unknown_document == "Mining Governance Rulebook"


def test_a_title_in_small_letters_has_no_owner_before_it(rulebook: DocumentNames) -> None:
    question = "What does the New governance and prudential rulebook say in 4.2.1?"
    (rule,) = find_rule_numbers(question, rulebook)
    assert rule.document_ids == ("GOVN",)


def test_a_section_is_sought_in_the_body_before_the_schedules(names: DocumentNames) -> None:
    (section,) = find_rule_numbers("section 4(1) of FSMR", names)
    assert section.keys.index("4/1") < section.keys.index("4") < section.keys.index("*/4/1")
    (paragraph,) = find_rule_numbers("paragraph 4(1) of FSMR", names)
    assert paragraph.keys[:2] == ("*/4/1", "4/1")


def test_an_unknown_document_is_told(names: DocumentNames) -> None:
    (rule,) = find_rule_numbers("What does Article 92 CRR require?", names)
    assert (rule.unknown_document, rule.document_ids, rule.keys[0]) == ("CRR", (), "article 92")
    (rule,) = find_rule_numbers("section 5 of the Companies Regulations 2020", names)
    assert rule.unknown_document == "Companies Regulations 2020"
    (rule,) = find_rule_numbers("section 172(1) Companies Act 2006", names)
    assert rule.unknown_document == "Companies Act 2006"
    (rule,) = find_rule_numbers("COBS 3.4.2 Suitability Rules", names)
    assert rule.document_ids == ("cobs",)
    for law in ("Federal Decree Law No. 20 of 2018", "Cabinet Decision (10) of 2019"):
        (rule,) = find_rule_numbers(f"Article 19 of {law}", names)
        assert rule.unknown_document == law
    (rule,) = find_rule_numbers("Rule 3.2.1 of the Dubai Conduct of Business Rulebook", names)
    assert (rule.unknown_document is None, rule.document_ids) == (False, ())
    first, second = find_rule_numbers("Articles 8–15 of the CRR", names)  # not one note each
    assert first.unknown_document == second.unknown_document == "CRR"


def test_only_a_document_beside_the_number_is_certain(names: DocumentNames) -> None:
    (beside,) = find_rule_numbers("COBS 3.4.2", names)
    (apart,) = find_rule_numbers("As COBS asks for fairness, what is Rule 3.4.2?", names)
    (none,) = find_rule_numbers("Rule 3.4.2", names)
    assert [r.certain for r in (beside, apart, none)] == [True, False, False]
    assert [r.document_ids for r in (beside, apart, none)] == [("cobs",), ("cobs",), ()]


def test_a_rule_is_not_given_to_the_act_before_it(names: DocumentNames) -> None:
    found = find_rule_numbers("sections 62(1) and 95(2) of FSMR and Rule 7.2.1", names)
    assert [rule.certain for rule in found] == [True, True, False]


@pytest.mark.parametrize(
    "unit",
    [
        "3.",
        "(",
        "Part 1 ",
        "COBS 3.4.2, ",
        "Guidance ",
        "the Abc and ",
        "A",
        "guidance on x ",
        "1 ",
        "1. ",
        "1 . ",
        "aml rulebook ",
        "1.1.1 to 1.1.30 ",
        "(a)",
        "(a)-",
        "COBS 3.4.2 and AML 1.1.1, ",
        "Annex I, II",
    ],
)
def test_long_questions_take_linear_time(names: DocumentNames, unit: str) -> None:
    with no_runaway():
        find_rule_numbers(unit * (30_000 // len(unit)), names)


Place = tuple[int, str, int, str]
"""(place of the key among the passage's keys, document_id, order, ID): the least is meant."""


@pytest.fixture(scope="module")
def corpus(data_folder: Path) -> tuple[DocumentNames, dict[str, list[Place]]]:
    folder = data_folder / "obliqa"
    titles = json.loads((folder / "titles.json").read_text(encoding="utf-8"))
    by_key: defaultdict[str, list[Place]] = defaultdict(list)
    for document_id in titles:
        text = (folder / "documents" / f"{document_id}.json").read_text(encoding="utf-8")
        for order, passage in enumerate(json.loads(text)):
            for place, key in enumerate(lookup_keys(passage["PassageID"])):
                by_key[key].append((place, document_id, order, passage["ID"]))
    return DocumentNames([DocumentSummary(i, t, 1) for i, t in titles.items()]), by_key


def resolve(rule: RuleNumber, by_key: dict[str, list[Place]]) -> str | None:
    """Return the `ID` of the passage that a rule number means."""
    if rule.unknown_document:
        return None
    ids = rule.document_ids
    for key in rule.keys:
        found = [place for place in by_key.get(key, ()) if not ids or place[1] in ids]
        if found:
            return min(found, key=lambda p: (p[0], ids.index(p[1]) if ids else 0, p[2]))[3]
    return None


@pytest.mark.corpus
def test_questions_over_all_documents_find_their_rule(
    corpus: tuple[DocumentNames, dict[str, list[Place]]],
) -> None:
    names, by_key = corpus
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    wrong = []
    for question in questions:
        rules = find_rule_numbers(question["question"], names)
        found = [resolve(rule, by_key) for rule in rules]
        if found[: len(question["relevant"])] != question["relevant"]:
            wrong.append(question["question"])
    assert len(questions) >= 200
    assert len(wrong) <= 0.03 * len(questions), wrong


@pytest.mark.corpus
def test_numbers_in_ordinary_questions_exist(
    data_folder: Path, corpus: tuple[DocumentNames, dict[str, list[Place]]]
) -> None:
    names, by_key = corpus
    lines = (data_folder / "obliqa" / "questions.dev.jsonl").read_text(encoding="utf-8")
    questions = [json.loads(line)["question"] for line in lines.splitlines()]
    found = {question: find_rule_numbers(question, names) for question in questions}
    places = {(question, rule.text) for question, rules in found.items() for rule in rules}
    rules = [rule for one in found.values() for rule in one]
    answered = [rule for rule in rules if resolve(rule, by_key)]
    assert len(places) < 0.2 * len(questions)
    assert len(answered) > 0.9 * len(rules)


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("annex 3/2", ["annex 3/2", "annex iii/2"]),
        ("part ii/title 1", ["part ii/title 1", "part ii/title i", "part 2/title 1",
                               "part 2/title i"]),
        ("app2/1", ["app2/1", "appii/1"]),
        ("article 5/1/a", ["article 5/1/a"]),
    ],
)  # fmt: skip
def test_containers_are_looked_up_in_both_ways_of_counting(key: str, keys: list[str]) -> None:
    assert list(in_both_figures([key])) == keys
